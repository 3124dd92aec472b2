import { touchDays } from "../../aggregation/touchedDayQueue.ts";
import { retentionKinds } from "../../retention/kinds.ts";
import { dayCondition } from "../../store/questdb/partition.ts";
import type { TableName } from "../../store/questdb/tables.ts";
import { dropPartitionIfEmpty } from "../erasure/stores/dropPartition.ts";
import { eraseRange } from "../erasure/stores/eraseRange.ts";
import { conditionOf, type RetentionStores, websitesAtOnce } from "./eraseExpiredRange.ts";
import type { ExpiredRows } from "./retentionRuns.ts";

/** What a run of retention erased, as its record says it. */
export type RecordedDay = { readonly websiteId: string; readonly kind: string; readonly day: string };

/**
 * Erases what earlier runs erased, in stores that were restored from a backup made before them. Kinds that no longer
 * exist are left alone. Safe to repeat.
 */
export async function eraseRecordedRanges(
  stores: Pick<RetentionStores, "questdb" | "postgres">,
  recorded: readonly RecordedDay[],
  signal: AbortSignal,
): Promise<void> {
  const byPlace = new Map<string, { table: TableName; day: string; rows: ExpiredRows[] }>();
  for (const { websiteId, kind: name, day } of recorded) {
    const kind = retentionKinds.find((each) => each.name === name);
    if (kind === undefined) continue;
    const place = byPlace.get(`${kind.table} ${day}`) ?? { table: kind.table, day, rows: [] };
    place.rows.push({ websiteId, kind, rows: 0 });
    byPlace.set(`${kind.table} ${day}`, place);
  }
  for (const { table, day, rows } of byPlace.values()) {
    for (let from = 0; from < rows.length; from += websitesAtOnce) {
      const { sql, values } = conditionOf(table, rows.slice(from, from + websitesAtOnce));
      await eraseRange(stores.questdb, { table, day, sql: `${dayCondition(day)} AND (${sql})`, values }, signal);
    }
    await dropPartitionIfEmpty(stores, table, day, signal);
  }
  // Other events of the day stay, so its sessions are computed again.
  const thinned = recorded.filter(({ kind }) => kind === "custom_events");
  await touchDays(stores.postgres, thinned);
}
