import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import { whenApplied } from "../../../store/questdb/whenApplied.ts";
import { utcDayOf } from "../../../time/utcDay.ts";
import { countRows } from "../deletion/countRows.ts";
import { daysOf } from "../deletion/daysOf.ts";
import { derivedTargetsOf, targetsOf, touchesSessions } from "../deletion/deletionScope.ts";
import { readDeletion } from "../deletion/readDeletion.ts";
import { blockRanges } from "../guard/blockRanges.ts";
import { whenCommitsEnded } from "../guard/commitLock.ts";
import type { ErasureTools } from "../stores/erasureTools.ts";
import { storesOf } from "../stores/missedErasures.ts";
import { countIncidents, hasIncidents } from "./incidents.ts";

/** UTC days to erase, newest first, and how many of them come before new rows can be stored again. */
export type ErasurePlan = {
  readonly days: readonly string[];
  readonly daysUntilNow: number;
  readonly reachesNow: boolean;
  readonly isPurge: boolean;
};

/**
 * Blocks new rows of the erasure's range, waits for commits in flight, and counts and lists the rows to erase. The
 * count is made only once, even after a kill. Resolves to what is left to do.
 */
export async function beginErasure(
  tools: Pick<ErasureTools, "stores" | "postgres">,
  id: string,
  signal: AbortSignal,
): Promise<ErasurePlan> {
  const { postgres } = tools;
  const deletion = await readDeletion(postgres, id);
  await inTransaction(postgres, async (client) => {
    await blockRanges(client, deletion);
    await client.query("UPDATE deletions SET phase = 'erasing' WHERE id = $1 AND phase = 'waiting'", [id]);
  });
  if (deletion.rowsBefore === null) {
    const nodes = await storesOf(tools, deletion);
    for (const shard of new Set(nodes.map(({ questdb }) => questdb.shard)))
      await whenCommitsEnded(postgres, shard, signal);
    const targets = targetsOf(deletion);
    const counted = [...targets, ...derivedTargetsOf(deletion)];
    const rowsBefore: Record<string, number> = {};
    const days = new Set<string>();
    const touchedDays = new Set<string>();
    for (const { questdb } of nodes) {
      for (const { table } of counted) await whenApplied(questdb, [table], signal);
      for (const target of counted) {
        const rows = await countRows(questdb, target, { signal });
        // Replicas have the same rows; one may lag.
        rowsBefore[target.table] = Math.max(rowsBefore[target.table] ?? 0, rows);
      }
      for (const target of targets)
        for (const day of await daysOf({ questdb }, target, signal)) {
          days.add(day);
          if (touchesSessions(deletion) && makesSessions.has(target.table)) touchedDays.add(day);
        }
    }
    if (hasIncidents(deletion)) rowsBefore["incidents"] = await countIncidents(postgres, deletion);
    await postgres.query(
      "UPDATE deletions SET rows_before = $2, days = $3, touched_days = $4 WHERE id = $1 AND rows_before IS NULL",
      [id, JSON.stringify(rowsBefore), [...days].sort().reverse(), [...touchedDays].sort().reverse()],
    );
  }
  const counted = await readDeletion(postgres, id);
  const days = (counted.days ?? []).filter((day) => !counted.daysDone.includes(day));
  const nowMs = Date.now();
  const today = utcDayOf(nowMs);
  return {
    days,
    daysUntilNow: days.filter((day) => day >= today).length,
    reachesNow: counted.untilMs > nowMs,
    isPurge: counted.kind === "purge",
  };
}

const makesSessions: ReadonlySet<TableName> = new Set(["events", "outgoing_links"]);
