import type { JsonObject } from "@bufbuild/protobuf";
import type { PoolClient } from "pg";
import { changedFields } from "../audit/changedFields.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import { findLiveWebsite } from "./findWebsite.ts";
import { rulesMessage } from "./readRules.ts";
import type { StoredWebsite } from "./website.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/** The result of a change: the website now, and what else the audit log should record. */
export type Changed = { readonly website: StoredWebsite; readonly more?: JsonObject };

/** An action on a website, and which websites it applies to. */
export type WebsiteAction = { readonly name: string; readonly find?: typeof findLiveWebsite };

/**
 * Changes a website in one transaction with its audit entry. The row is locked first, so simultaneous changes are
 * applied one after the other. This process uses the change at once, others within CACHE_MS.
 *
 * Rejects with NOT_FOUND, and with what `change` throws.
 */
export async function changeWebsite(
  id: string,
  call: WebsiteCall,
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

/** A website as the audit log records it. */
export function auditedFields(website: StoredWebsite): JsonObject {
  const { name, domain, timezone, publicAccess, goals, paths, tags, rules, privacy, deletedAtMs } = website;
  const { rawEventsDays, aggregatedDays, performanceDays, customEventsDays, pendingRetention: pending } = website;
  return {
    name,
    domain,
    timezone,
    publicAccess,
    goals,
    paths: { trailingSlash: paths.trailingSlash, queryParameters: [...paths.queryParameters] },
    tags: [...tags],
    rules: rulesMessage(rules),
    privacy: { ...privacy },
    deletedAt: deletedAtMs === null ? null : new Date(deletedAtMs).toISOString(),
    rawEventsDays,
    aggregatedDays,
    performanceDays,
    customEventsDays,
    pendingRetention:
      pending === null ? null : { ...pending.periods, effectiveAt: new Date(pending.effectiveAtMs).toISOString() },
  };
}
