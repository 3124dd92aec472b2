import { dayCondition } from "../../../store/questdb/partition.ts";
import { columnsOfTable } from "../../../store/questdb/tables.ts";
import { markClaimsErased } from "../../../store/write/eventClaims.ts";
import type { Deletion } from "../deletion/deletionRow.ts";
import { type Target, targetsOf } from "../deletion/deletionScope.ts";
import { readDeletion } from "../deletion/readDeletion.ts";
import { dropPartitionIfEmpty } from "../stores/dropPartition.ts";
import { eraseRange } from "../stores/eraseRange.ts";
import type { ErasureTools, NodeTools } from "../stores/erasureTools.ts";
import { storesOf } from "../stores/missedErasures.ts";

/** Keys per statement. */
const keysAtOnce = 50_000;

/** Erases one UTC day (YYYY-MM-DD) of a deletion in all of its tables and marks the day as done. Safe to repeat. */
export async function eraseDeletionRangeEverywhere(
  tools: Pick<ErasureTools, "stores" | "postgres">,
  id: string,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  const deletion = await readDeletion(tools.postgres, id);
  for (const { questdb } of await storesOf(tools, deletion))
    await eraseDeletionRange({ questdb, postgres: tools.postgres }, deletion, day, signal);
  await tools.postgres.query(
    "UPDATE deletions SET days_done = days_done || $2::date WHERE id = $1 AND NOT $2::date = ANY(days_done)",
    [id, day],
  );
}

/** Erases one UTC day (YYYY-MM-DD) of a deletion in one QuestDB. Safe to repeat. */
export async function eraseDeletionRange(
  tools: NodeTools,
  deletion: Deletion,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  for (const target of targetsOf(deletion)) {
    await markIdsErased(tools, target, day, signal);
    if (await eraseRange(tools.questdb, { ...target, day }, signal))
      await dropPartitionIfEmpty(tools, target.table, day, signal);
  }
}

/**
 * Marks the ids of a day's rows that were claimed in the last 24 hours as erased, so that they are not stored again.
 * Must run before their keys are erased.
 */
async function markIdsErased(
  { questdb, postgres }: NodeTools,
  { table, sql, values }: Target,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  if (!("event_key" in columnsOfTable[table])) return;
  const { rows: claims } = await postgres.query(
    `SELECT FROM event_claims WHERE ts_us >= extract(epoch FROM $1::date)::bigint * 1000000
       AND ts_us < extract(epoch FROM $1::date + 1)::bigint * 1000000 LIMIT 1`,
    [day],
  );
  if (claims.length === 0) return;
  for (let after = -1; ; ) {
    const rows = await questdb.read(
      `SELECT event_key FROM ${table} WHERE ${dayCondition(day)} AND (${sql}) AND event_key > $${values.length + 1}
       ORDER BY event_key LIMIT ${keysAtOnce}`,
      [...values, after],
      { signal },
    );
    const keys = rows.map(({ event_key: key }) => Number(key));
    await markClaimsErased(postgres, table, keys);
    if (keys.length < keysAtOnce) return;
    after = keys.at(-1) ?? after;
  }
}
