import { touchDays } from "../../aggregation/touchedDayQueue.ts";
import { retentionKinds } from "../../retention/kinds.ts";
import { dropPartitionIfEmpty } from "../erasure/stores/dropPartition.ts";
import { eraseRows, type RetentionStores } from "./eraseExpiredRange.ts";

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
  const rows = recorded.flatMap(({ websiteId, kind: name, day }) => {
    const kind = retentionKinds.find((each) => each.name === name);
    return kind === undefined ? [] : [{ day, websiteId, kind, rows: 0 }];
  });
  for (const [table, ofTable] of Map.groupBy(rows, ({ kind }) => kind.table))
    for (const [day, ofDay] of Map.groupBy(ofTable, (row) => row.day)) {
      await eraseRows(stores.questdb, table, day, ofDay, signal);
      await dropPartitionIfEmpty(stores, table, day, signal);
    }
  // Other events of the day stay, so its sessions are computed again.
  const thinned = recorded.filter(({ kind }) => kind === "custom_events");
  await touchDays(stores.postgres, thinned);
}
