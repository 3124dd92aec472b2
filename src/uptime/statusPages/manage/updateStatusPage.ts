import { changedFields } from "../../../audit/changedFields.ts";
import { recordAudit } from "../../../audit/recordAudit.ts";
import { validationError } from "../../../errors/errors.ts";
import type { UpdateStatusPageReply } from "../../../gen/lookout/services.ts";
import type { UpdateStatusPageRequest } from "../../../gen/lookout/v1/status_page_pb.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import { updateLockedRow } from "../../../store/postgres/updateLockedRow.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { claimSlug, explainConflict } from "./claimSlug.ts";
import { findStatusPage } from "./findStatusPage.ts";
import { readGroups, requireTexts } from "./readPageFields.ts";
import { auditedPage, type StatusPage, statusPageColumns, statusPageMessage } from "./statusPage.ts";

/**
 * POST /uptime/status-pages/update: fields left out stay as they are. This process shows the change at once, others
 * within seconds.
 *
 * Rejects with VALIDATION_ERROR, NOT_FOUND and CONFLICT (a slug that is taken).
 */
export async function updateStatusPage(
  request: UpdateStatusPageRequest,
  call: UptimeCall,
): Promise<UpdateStatusPageReply> {
  const { postgres, config, statusPages, websites } = call.app;
  const { slug, title, logoText, description, published, accentColor, allMonitors = false } = request;
  requireTexts({ title, logoText, description });
  if (allMonitors && request.groups.length > 0)
    throw validationError([{ field: "allMonitors", message: "must not be true together with groups" }]);
  const seen = await findStatusPage(postgres, request.id, call);
  const groups = await readGroups(request.groups, seen.websiteId, call);
  const website = await websites.find(seen.websiteId);
  const page = await inTransaction(postgres, async (client) => {
    const before = await findStatusPage(client, request.id, call, true);
    if (slug !== undefined && slug !== before.slug && website !== undefined)
      await claimSlug(client, slug, website.organizationId);
    const after = await updateLockedRow<StatusPage>(
      client,
      "status_pages",
      before.id,
      {
        slug,
        title: title?.trim(),
        logo_text: logoText?.trim(),
        description: description?.trim(),
        published,
        accent_color: accentColor?.toLowerCase(),
        groups: allMonitors || groups.length > 0 ? JSON.stringify(groups) : undefined,
      },
      statusPageColumns,
    );
    const fields = changedFields(auditedPage(before), auditedPage(after));
    if (fields !== undefined)
      await recordAudit(client, call, {
        action: "status_page.update",
        objectId: after.id,
        websiteId: after.websiteId,
        ...fields,
      });
    return after;
  }).catch((error: unknown) => {
    throw explainConflict(error, slug);
  });
  statusPages.forget(seen.slug);
  statusPages.forget(page.slug);
  return { page: statusPageMessage(page, config.server.baseUrl) };
}
