import { randomBytes } from "node:crypto";
import { validationError } from "../../../errors/errors.ts";
import type { PreviewStatusPageReply } from "../../../gen/lookout/services.ts";
import type { PreviewStatusPageRequest } from "../../../gen/lookout/v1/status_page_pb.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { findStatusPage } from "./findStatusPage.ts";
import { previewHash, previewSlug } from "./previewToken.ts";
import { readNewPage } from "./readPageFields.ts";
import { type StatusPage, statusPageUrl } from "./statusPage.ts";

const lastsMs = 600_000;

/**
 * POST /uptime/status-pages/preview: stores unsaved settings for ten minutes under a secret address. They are stored in PostgreSQL, so that every API
 * process can render them. The address is the only credential, since the preview is opened in a frame. Rejects with VALIDATION_ERROR and NOT_FOUND.
 */
export async function previewStatusPage(
  request: PreviewStatusPageRequest,
  call: UptimeCall,
): Promise<PreviewStatusPageReply> {
  const { postgres, config } = call.app;
  const { website, fields } = await readNewPage(request, call);
  const kept = request.pageId === undefined ? undefined : await findStatusPage(postgres, request.pageId, call);
  if (kept !== undefined && kept.websiteId !== website.id)
    throw validationError([{ field: "pageId", message: "is a page of another website" }]);
  const token = randomBytes(24).toString("base64url");
  const nowMs = Date.now();
  const page: StatusPage = {
    id: kept?.id ?? "",
    websiteId: website.id,
    slug: previewSlug(token),
    published: false,
    ...fields,
    logo: kept?.logo ?? null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  await postgres.query("DELETE FROM status_page_previews WHERE expires_at < now()");
  await postgres.query(
    `INSERT INTO status_page_previews (token_hash, website_id, page, expires_at)
     VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')`,
    [previewHash(token), website.id, JSON.stringify(page), lastsMs],
  );
  return { url: statusPageUrl(page, config.server.baseUrl), expiresAt: new Date(nowMs + lastsMs).toISOString() };
}
