import type { Pool, PoolClient } from "pg";
import { changedFields } from "../../audit/changedFields.ts";
import { recordServiceAudit } from "../../audit/recordAudit.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { auditedFields } from "../../websites/changeWebsite.ts";
import { periodColumns, updateRow } from "../../websites/updateRow.ts";
import { type StoredWebsite, storedWebsiteColumns } from "../../websites/website.ts";
import { insertRun } from "./retentionRuns.ts";

/** The next step for a website's pending periods: nothing, wait, or erase older data in the run of this id. */
export type RetentionStep =
  | { readonly kind: "none" }
  | { readonly kind: "waiting"; readonly effectiveMs: number }
  | { readonly kind: "erase"; readonly runId: string };

/**
 * Puts a website's pending periods into effect if they are due at `nowMs` (Unix ms), and begins the run that erases
 * older data. A repetition finds that run as long as it is not finished. A deleted website keeps its periods; after a
 * restoration a daily run applies them.
 */
export async function applyRetentionChange(
  postgres: Pick<Pool, "connect">,
  websiteId: string,
  nowMs: number,
): Promise<RetentionStep> {
  return await inTransaction(postgres, async (client) => {
    const website = await lockLive(client, websiteId);
    const pending = website?.pendingRetention ?? null;
    if (website === undefined) return { kind: "none" };
    if (pending !== null && pending.effectiveAtMs <= nowMs) {
      const runId = `${website.id}/${pending.effectiveAtMs}`;
      await hold(client, website);
      await insertRun(client, { id: runId, dueMs: pending.effectiveAtMs, websiteId: website.id });
      return { kind: "erase", runId };
    }
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM retention_runs WHERE website_id = $1 AND finished_at IS NULL ORDER BY started_at LIMIT 1",
      [website.id],
    );
    const [open] = rows;
    if (open !== undefined) return { kind: "erase", runId: open.id };
    return pending === null ? { kind: "none" } : { kind: "waiting", effectiveMs: pending.effectiveAtMs };
  });
}

/** Puts the due pending periods of all live websites into effect; the daily run erases by them. */
export async function applyDueChanges(postgres: Pick<Pool, "connect" | "query">, nowMs: number): Promise<void> {
  const { rows } = await postgres.query<{ id: string }>(
    `SELECT id FROM websites WHERE pending_retention IS NOT NULL AND deleted_at IS NULL
       AND (pending_retention ->> 'effectiveAtMs')::float8 <= $1 ORDER BY id`,
    [nowMs],
  );
  for (const { id } of rows)
    await inTransaction(postgres, async (client) => {
      const website = await lockLive(client, id);
      const effectiveAtMs = website?.pendingRetention?.effectiveAtMs ?? Number.POSITIVE_INFINITY;
      if (website !== undefined && effectiveAtMs <= nowMs) await hold(client, website);
    });
}

async function lockLive(client: PoolClient, websiteId: string): Promise<StoredWebsite | undefined> {
  const { rows } = await client.query<StoredWebsite>(
    `SELECT ${storedWebsiteColumns} FROM websites WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [websiteId],
  );
  return rows[0];
}

async function hold(client: PoolClient, website: StoredWebsite): Promise<void> {
  const { pendingRetention: pending } = website;
  if (pending === null) return;
  const changed = await updateRow(client, website.id, { ...periodColumns(pending.periods), pending_retention: null });
  const fields = changedFields(auditedFields(website), auditedFields(changed));
  await recordServiceAudit(
    client,
    { organizationId: website.organizationId, requestId: pending.requestId },
    {
      action: "website.retention.hold",
      objectId: website.id,
      websiteId: website.id,
      before: fields?.before ?? null,
      after: fields?.after ?? null,
    },
  );
}
