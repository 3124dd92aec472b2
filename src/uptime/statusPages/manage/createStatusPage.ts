import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { recordAudit } from "../../../audit/recordAudit.ts";
import { ApiError } from "../../../errors/errors.ts";
import type { CreateStatusPageReply } from "../../../gen/lookout/services.ts";
import { type CreateStatusPageRequest, StatusPageService } from "../../../gen/lookout/v1/status_page_pb.ts";
import { type Commit, once } from "../../../idempotency/once.ts";
import { findMonitoredWebsite } from "../../monitor/findMonitor.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { claimSlug, explainConflict } from "./claimSlug.ts";
import { readGroups, requireTexts } from "./readPageFields.ts";
import { auditedPage, type StatusPage, statusPageColumns, statusPageMessage } from "./statusPage.ts";

/** Pages of one website; each page that is looked at is kept up to date in memory. */
const mostPages = 50;

/**
 * POST /uptime/status-pages/create. Rejects with VALIDATION_ERROR, NOT_FOUND (the website) and CONFLICT (a slug that is
 * taken, or too many pages).
 */
export const createStatusPage = once(StatusPageService.method.createStatusPage, make);

async function make(
  request: CreateStatusPageRequest,
  call: UptimeCall,
  commit: Commit<CreateStatusPageReply>,
): Promise<CreateStatusPageReply> {
  const { config, statusPages } = call.app;
  const { slug, title, logoText = "", description = "", published = false, accentColor = "" } = request;
  requireTexts({ title, logoText, description });
  const website = await findMonitoredWebsite(request.websiteId, call);
  const groups = await readGroups(request.groups, website.id, call);
  const work = async (client: PoolClient) => {
    await claimSlug(client, slug, website.organizationId);
    const { rows: counts } = await client.query<{ pages: number }>(
      "SELECT count(*)::integer AS pages FROM status_pages WHERE website_id = $1",
      [website.id],
    );
    if ((counts[0]?.pages ?? 0) >= mostPages)
      throw new ApiError(
        "CONFLICT",
        `The website has ${mostPages} status pages, and more are not possible. Delete one`,
      );
    const { rows } = await client.query<StatusPage>(
      `INSERT INTO status_pages (id, website_id, slug, title, logo_text, description, published, groups, accent_color)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${statusPageColumns}`,
      [
        randomUUID(),
        website.id,
        slug,
        title.trim(),
        logoText.trim(),
        description.trim(),
        published,
        JSON.stringify(groups),
        accentColor.toLowerCase(),
      ],
    );
    const [made] = rows;
    if (made === undefined) throw new Error("PostgreSQL did not return the new status page");
    await recordAudit(client, call, {
      action: "status_page.create",
      objectId: made.id,
      websiteId: made.websiteId,
      after: auditedPage(made),
    });
    return made;
  };
  const { reply } = await commit(work, (page) => ({ page: statusPageMessage(page, config.server.baseUrl) })).catch(
    (error: unknown) => {
      throw explainConflict(error, slug);
    },
  );
  statusPages.forget(slug);
  return reply;
}
