import { setTimeout as pause } from "node:timers/promises";
import type { Offsets } from "../../durableLog/offsets.ts";
import type { QuestdbNode } from "../../store/questdb/questdbs.ts";
import { logPositionsTable } from "../../store/questdb/tables.ts";
import { hasReached } from "./chooseReplica.ts";

const pollMs = 500;

/**
 * Whether a replica stores, within `withinMs` and for good, all that its shard's log has at the call. For good: its consumer has
 * written the offsets beside the rows, so it stores none of them again after a crash. A QuestDB that does not answer counts as
 * lacking rows. Rejects when the brokers do not return the end offsets.
 */
export async function keepsLog(
  { reader, shard }: Pick<QuestdbNode, "reader" | "shard">,
  endOf: (shard: string) => Promise<Offsets>,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const untilMs = performance.now() + withinMs;
  const sql = `SELECT log_partition, log_offset FROM ${logPositionsTable} WHERE shard = $1 AND log_partition >= 0`;
  let ends = await endOf(shard);
  for (;;) {
    const rows = await reader.read(sql, [shard], { signal }).catch(() => []);
    const noted = Object.fromEntries(rows.map((row) => [String(row["log_partition"]), String(row["log_offset"])]));
    // A partition without a leader may be missing among the ends.
    if (!Object.keys(noted).every((partition) => partition in ends)) ends = await endOf(shard);
    else if (rows.length > 0 && hasReached(noted, ends)) return true;
    if (performance.now() >= untilMs) return false;
    await pause(pollMs, undefined, { signal });
  }
}
