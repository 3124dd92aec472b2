import type { PoolClient } from "pg";
import { changedFields } from "../../audit/changedFields.ts";
import { recordAudit } from "../../audit/recordAudit.ts";
import { ApiError, unavailable } from "../../errors/errors.ts";
import type { UpdateLinkReply } from "../../gen/lookout/services.ts";
import type { UpdateLinkRequest } from "../../gen/lookout/v1/links_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { auditedLink, type Link } from "../link.ts";
import type { LinkCall } from "../linkCall.ts";
import { answerLink } from "./answerLink.ts";
import { clickCounts } from "./clickCounts.ts";
import { findLink } from "./findLink.ts";
import { ownHostsOf } from "./ownHosts.ts";
import { readLinkColumns } from "./readLinkColumns.ts";
import { isSlugConflict, slugTaken, wasOfOtherOrganization } from "./slugTaken.ts";
import { trackedWebsiteOf } from "./trackedWebsite.ts";
import { updateLinkRow } from "./updateLinkRow.ts";

/**
 * POST /links/update: fields left out stay as they are. Simultaneous updates are applied one after the other. This
 * process uses the change at once, others within CACHE_MS.
 *
 * Rejects with VALIDATION_ERROR, NOT_FOUND, CONFLICT with a suggestion for a slug that is taken, and
 * SERVICE_UNAVAILABLE when a new limit cannot be set because the clicks so far are not known.
 */
export async function updateLink(request: UpdateLinkRequest, call: LinkCall): Promise<UpdateLinkReply> {
  const { app } = call;
  const seen = await findLink(app.postgres, request.id, call.caller);
  const columns = await readLinkColumns(request, await ownHostsOf(request, call));
  const limitedClicks = typeof columns.click_limit === "number" ? await clicksSoFar(seen, app) : 0;
  const change = async (client: PoolClient): Promise<{ before: Link; after: Link }> => {
    const before = await findLink(client, request.id, call.caller, true);
    const after = await updateLinkRow(client, before.id, {
      ...columns,
      // A limit that was set before has an exact count already.
      limited_clicks: before.clickLimit === null && limitedClicks > 0 ? limitedClicks : undefined,
      target_website_id:
        typeof columns.target_url === "string"
          ? await trackedWebsiteOf(client, { ...before, targetUrl: columns.target_url })
          : undefined,
    });
    if (after.slug !== before.slug && (await wasOfOtherOrganization(client, after.slug, after.organizationId)))
      throw new ApiError("CONFLICT", "The slug is taken");
    await recordChange(client, call, before, after);
    return { before, after };
  };
  const { before, after } = await inTransaction(app.postgres, change).catch(async (error: unknown) => {
    const isTaken = isSlugConflict(error) || (error instanceof ApiError && error.code === "CONFLICT");
    throw isTaken && request.slug !== undefined ? await slugTaken(request.slug, app.postgres) : error;
  });
  app.links.forget(before.slug);
  app.links.forget(after.slug);
  return await answerLink(after, call);
}

async function recordChange(client: PoolClient, call: LinkCall, before: Link, after: Link): Promise<void> {
  const fields = changedFields(auditedLink(before), auditedLink(after));
  if (fields === undefined) return;
  await recordAudit(client, call, { action: "link.update", objectId: after.id, websiteId: after.websiteId, ...fields });
}

/** The clicks that a new limit starts with: all that are stored, which may miss those of the last second. */
async function clicksSoFar(link: Link, app: LinkCall["app"]): Promise<number> {
  const counts = await clickCounts([link], app);
  if (counts === undefined)
    throw unavailable("The clicks so far cannot be counted for the limit. Try again in a few seconds", 5);
  return counts.get(link.id) ?? 0;
}
