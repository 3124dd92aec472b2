import type { JsonObject } from "@bufbuild/protobuf";
import type { PoolClient } from "pg";
import { changedFields } from "../audit/changedFields.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { CallContext } from "../gateway/callContext.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import { findLiveWebsite } from "./findWebsite.ts";
import type { StoredWebsite } from "./website.ts";

/** What a change resolves to: the website as it is now, and what else the audit log should tell of it. */
export type Changed = { readonly website: StoredWebsite; readonly more?: JsonObject };

/** What is done to a website, and which ones it can be done to. */
export type WebsiteAction = { readonly name: string; readonly find?: typeof findLiveWebsite };

/**
 * Changes a website in one transaction, together with its entry in the audit log. The row is locked first, so of changes at once each
 * is made over the one before. This process goes by the change at once, others within WEBSITE_CACHE_MS.
 *
 * Rejects with NOT_FOUND, and with what `change` throws.
 */
export async function changeWebsite(
  id: string,
  call: CallContext,
  { name, find = findLiveWebsite }: WebsiteAction,
  change: (client: PoolClient, before: StoredWebsite) => Promise<Changed>,
): Promise<StoredWebsite> {
  const changed = await inTransaction(call.app.postgres, async (client) => {
    const before = await find(client, id, call.caller, true);
    const { website, more } = await change(client, before);
    const fields = changedFields(auditedFields(before), auditedFields(website));
    if (fields !== undefined)
      await recordAudit(client, call, {
        action: name,
        objectType: "website",
        objectId: website.id,
        websiteId: website.id,
        before: fields.before,
        after: { ...fields.after, ...more },
      });
    return website;
  });
  call.app.websites.forget(changed);
  return changed;
}

/** What the audit log tells of a website. */
export function auditedFields(website: StoredWebsite): JsonObject {
  const { name, domain, timezone, publicAccess, deletedAtMs } = website;
  const { rawEventsDays, aggregatedDays, performanceDays, customEventsDays, pendingRetention: pending } = website;
  return {
    name,
    domain,
    timezone,
    publicAccess,
    deletedAt: deletedAtMs === null ? null : new Date(deletedAtMs).toISOString(),
    rawEventsDays,
    aggregatedDays,
    performanceDays,
    customEventsDays,
    pendingRetention:
      pending === null ? null : { ...pending.periods, effectiveAt: new Date(pending.effectiveAtMs).toISOString() },
  };
}
