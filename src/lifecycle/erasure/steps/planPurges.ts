import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { keptAfterDeletionMs } from "../../../access/websiteDirectory.ts";
import { dayMs, utcDayOf } from "../../../time/utcDay.ts";
import { type DeletionScope, dataTypes } from "../deletion/deletionScope.ts";
import { insertDeletion } from "../deletion/insertDeletion.ts";

/**
 * Plans the deletion of everything of each website that was deleted 90 days ago. Each is planned once; resolves to the
 * number of new ones.
 */
export async function planPurges(postgres: Pick<Pool, "query">): Promise<number> {
  const { rows: websites } = await postgres.query<{ id: string; organizationId: string; timeZone: string }>(
    `SELECT id, organization_id AS "organizationId", timezone AS "timeZone" FROM websites
     WHERE deleted_at <= now() - $1 * interval '1 millisecond' AND purged_at IS NULL
       AND NOT EXISTS (SELECT FROM deletions WHERE website_id = websites.id AND kind = 'purge')
     ORDER BY deleted_at`,
    [keptAfterDeletionMs],
  );
  for (const { id: websiteId, ...website } of websites) {
    const id = randomUUID();
    await insertDeletion(postgres, {
      ...wholeTime(websiteId),
      ...website,
      id,
      workflowId: null,
      deleted: {},
      requestedBy: null,
      requestId: id,
    });
  }
  return websites.length;
}

/** Everything of a website at any time: clocks are ahead by a day at most. */
function wholeTime(websiteId: string): DeletionScope {
  const untilMs = (Math.floor(Date.now() / dayMs) + 2) * dayMs;
  return {
    kind: "purge",
    websiteId,
    fromMs: 0,
    untilMs,
    startDate: "1970-01-01",
    endDate: utcDayOf(untilMs),
    dataTypes,
    visitorKey: null,
  };
}
