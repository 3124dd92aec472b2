import { setTimeout as pause } from "node:timers/promises";
import type { QuestdbReader } from "../store/questdb/questdbReader.ts";
import type { TableName } from "../store/questdb/tables.ts";
import { readWalStates } from "../store/questdb/walStates.ts";

const pauseMs = 50;
const timeoutMs = 15_000;

/**
 * Resolves when queries see every row that QuestDB had committed to these tables at the call. Rejects at once when a
 * table is suspended, after 15 s without success, and with AbortError when `signal` aborts.
 */
export async function waitUntilApplied(
  questdb: QuestdbReader,
  tables: readonly TableName[],
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  const target = await readWalStates(questdb);
  for (let states = target; ; states = await readWalStates(questdb)) {
    const behind = tables.filter((table) => (states.get(table)?.applied ?? 0) < (target.get(table)?.committed ?? 0));
    if (behind.length === 0) return;
    const names = behind.join(", ");
    if (behind.some((table) => states.get(table)?.isSuspended))
      throw new Error(`QuestDB has suspended ${names}; the log of the API says what to do`);
    if (performance.now() > deadlineMs) throw new Error(`QuestDB has not applied all rows of ${names} in time`);
    await pause(pauseMs, undefined, { signal });
  }
}
