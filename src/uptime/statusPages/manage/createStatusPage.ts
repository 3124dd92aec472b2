import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { recordAudit } from "../../../audit/recordAudit.ts";
import { ApiError } from "../../../errors/errors.ts";
import type { CreateStatusPageReply } from "../../../gen/lookout/services.ts";
import { type CreateStatusPageRequest, StatusPageService } from "../../../gen/lookout/v1/status_page_pb.ts";
import { type Commit, once } from "../../../idempotency/once.ts";
import { insertRow } from "../../../store/postgres/insertRow.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { claimSlug, explainConflict } from "./claimSlug.ts";
import { readNewPage } from "./readPageFields.ts";
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
  const { slug, published = false } = request;
  const { website, fields } = await readNewPage(request, call);
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
    const columns = {
      id: randomUUID(),
      website_id: website.id,
      slug,
      title: fields.title,
      logo_text: fields.logoText,
      description: fields.description,
      published,
      groups: JSON.stringify(fields.groups),
      accent_color: fields.accentColor,
    };
    const made = await insertRow<StatusPage>(client, "status_pages", columns, statusPageColumns);
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
