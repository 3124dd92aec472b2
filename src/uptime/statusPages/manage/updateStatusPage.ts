import { validationError } from "../../../errors/errors.ts";
import type { UpdateStatusPageReply } from "../../../gen/lookout/services.ts";
import type { UpdateStatusPageRequest } from "../../../gen/lookout/v1/status_page_pb.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { claimSlug, explainConflict } from "./claimSlug.ts";
import { findStatusPage } from "./findStatusPage.ts";
import { readGroups, requireTexts } from "./readPageFields.ts";
import { statusPageMessage } from "./statusPage.ts";
import { updateLockedPage } from "./updateLockedPage.ts";

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
    const columns = {
      slug,
      title: title?.trim(),
      logo_text: logoText?.trim(),
      description: description?.trim(),
      published,
      accent_color: accentColor?.toLowerCase(),
      groups: allMonitors || groups.length > 0 ? JSON.stringify(groups) : undefined,
    };
    return await updateLockedPage(client, before, columns, call);
  }).catch((error: unknown) => {
    throw explainConflict(error, slug);
  });
  statusPages.forget(seen.slug);
  statusPages.forget(page.slug);
  return { page: statusPageMessage(page, config.server.baseUrl) };
}
