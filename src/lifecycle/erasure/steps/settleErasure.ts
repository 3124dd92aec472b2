import { countRows } from "../deletion/countRows.ts";
import { daysOf } from "../deletion/daysOf.ts";
import { derivedTargetsOf, targetsOf } from "../deletion/deletionScope.ts";
import { readDeletion } from "../deletion/readDeletion.ts";
import type { ErasureTools } from "../stores/erasureTools.ts";
import { storesOf } from "../stores/missedErasures.ts";
import { eraseDeletionRangeEverywhere } from "./eraseDeletionRange.ts";
import { countIncidents, eraseIncidents, hasIncidents } from "./incidents.ts";
import { recomputeTouchedDays } from "./recomputeTouchedDays.ts";

/**
 * Recomputes what was derived from erased rows, verifies that no row is left, and records since when nothing can be
 * read.
 */
export async function settleErasure(
  tools: Pick<ErasureTools, "stores" | "records" | "postgres" | "config" | "log">,
  id: string,
  settleMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { phase } = await readDeletion(tools.postgres, id);
  if (phase === "erasing") await tools.postgres.query("UPDATE deletions SET phase = 'recomputing' WHERE id = $1", [id]);
  do await recomputeTouchedDays(tools, id, settleMs, signal);
  while ((await eraseLateRows(tools, id, signal)) > 0);
  await tools.postgres.query("UPDATE deletions SET unreadable_at = clock_timestamp() WHERE id = $1", [id]);
}

/**
 * Erases the rows of an erasure that are still there, until none is found; then stores the count. A commit of a killed
 * process may arrive late. Resolves to the number of days that had rows.
 */
export async function eraseLateRows(
  tools: Pick<ErasureTools, "stores" | "postgres">,
  id: string,
  signal: AbortSignal,
): Promise<number> {
  const deletion = await readDeletion(tools.postgres, id);
  const targets = targetsOf(deletion);
  let found = 0;
  for (;;) {
    const days = new Set<string>();
    for (const node of await storesOf(tools, deletion))
      for (const target of targets) for (const day of await daysOf(node, target, signal)) days.add(day);
    if (days.size === 0) break;
    found += days.size;
    for (const day of days) await eraseDeletionRangeEverywhere(tools, id, day, signal);
  }
  const rowsAfter: Record<string, number> = {};
  for (const { questdb } of await storesOf(tools, deletion))
    for (const target of [...targets, ...derivedTargetsOf(deletion)]) {
      // The larger of two counts: a receipt must not say 0 because one read lacked rows.
      for (const isCheck of [false, true]) {
        const rows = await countRows(questdb, target, { signal, isCheck });
        rowsAfter[target.table] = Math.max(rowsAfter[target.table] ?? 0, rows);
      }
    }
  if (hasIncidents(deletion)) {
    await eraseIncidents(tools.postgres, deletion);
    rowsAfter["incidents"] = await countIncidents(tools.postgres, deletion);
  }
  await tools.postgres.query("UPDATE deletions SET rows_after = $2 WHERE id = $1", [id, JSON.stringify(rowsAfter)]);
  return found;
}
