import { setTimeout as pause } from "node:timers/promises";
import type { QuestdbReader } from "./questdbReader.ts";
import { remedyFor } from "./suspension.ts";
import type { TableName } from "./tables.ts";
import { readWalStates, type WalState } from "./walStates.ts";

/** Each poll is a statement, so a long wait polls less often: it is noticed at most a fifth of the time too late. */
const minPauseMs = 25;
const maxPauseMs = 250;

/** A time limit for work that is tried again later. A QuestDB that keeps up needs far less. */
export const appliedSoonMs = 15_000;

/**
 * Resolves when everything that QuestDB had committed to these tables at the call is applied, so that queries see it.
 * Rejects when a table is suspended, after `timeoutMs`, and with AbortError when `signal` aborts.
 */
export async function whenApplied(
  questdb: QuestdbReader,
  tables: readonly TableName[],
  signal: AbortSignal,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const startedMs = performance.now();
  const targets = await readWalStates(questdb, signal);
  for (let states = targets; ; states = await readWalStates(questdb, signal)) {
    const behind = tables.filter((table) => stateOf(states, table).applied < stateOf(targets, table).committed);
    if (behind.length === 0) return;
    const passedMs = performance.now() - startedMs;
    if (passedMs > timeoutMs) throw new Error(`QuestDB has not applied all rows of ${behind.join(", ")} in time`);
    await pause(Math.min(maxPauseMs, Math.max(minPauseMs, passedMs / 5)), undefined, { signal });
  }
}

/** Throws if the table is missing or suspended. */
function stateOf(states: ReadonlyMap<string, WalState>, table: TableName): WalState {
  const state = states.get(table);
  if (state === undefined) throw new Error(`QuestDB has no table ${table}; start the service again`);
  if (state.isSuspended)
    throw new Error(
      `QuestDB has suspended the table ${table} (${state.reason}); ${remedyFor(table, state.errorTag, state.reason)}`,
    );
  return state;
}
