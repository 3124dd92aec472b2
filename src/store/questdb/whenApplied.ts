import { setTimeout as pause } from "node:timers/promises";
import type { QuestdbReader } from "./questdbReader.ts";
import { remedyFor } from "./suspension.ts";
import type { TableName } from "./tables.ts";
import { readWalStates } from "./walStates.ts";

/** Each poll is a statement, so a long wait polls less often: it is noticed at most a fifth of the time too late. */
const minPauseMs = 25;
const maxPauseMs = 250;

/**
 * Resolves when everything that QuestDB had committed to a table at the call is applied, however long that takes.
 * Rejects when the table is suspended, and with AbortError when `signal` aborts.
 */
export async function whenApplied(questdb: QuestdbReader, table: TableName, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  let target: number | undefined;
  for (;;) {
    const state = (await readWalStates(questdb, signal)).get(table);
    if (state === undefined) throw new Error(`QuestDB has no table ${table}; start the service again`);
    if (state.isSuspended)
      throw new Error(
        `QuestDB has suspended the table ${table} (${state.reason}); ${remedyFor(table, state.errorTag)}`,
      );
    target ??= state.committed;
    if (state.applied >= target) return;
    const passedMs = performance.now() - startedMs;
    await pause(Math.min(maxPauseMs, Math.max(minPauseMs, passedMs / 5)), undefined, { signal });
  }
}
