import { setTimeout as pause } from "node:timers/promises";
import type { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import type { TableName } from "../../store/questdb/tables.ts";
import { readWalStates } from "../../store/questdb/walStates.ts";
import type { QueryType } from "../catalogue/queryType.ts";

/** A store that does not answer so soon must not delay what is asked of it; then nothing is known. */
const patienceMs = 1_000;

/** Types that are about events also look at what belongs to their sessions. */
const besideEvents: readonly TableName[] = ["outgoing_links", "sessions", "performance_metrics"];

/**
 * Remembers what is in the tables of these types. The function tells whether that is still so, so whether all statements in between saw the
 * same rows: QuestDB has no snapshot that holds for several statements. False when it is not known.
 */
export async function takeSnapshot(
  types: Iterable<Pick<QueryType, "table">>,
  questdb: Pick<QuestdbReader, "read">,
): Promise<() => Promise<boolean>> {
  const tables = new Set<string>();
  for (const { table } of types)
    for (const name of table === "events" ? [table, ...besideEvents] : [table]) tables.add(name);
  const before = await readTransactions(tables, questdb);
  // While transactions are applied, statements see some of them before wal_tables() tells so.
  if (before?.isApplied !== true) return async () => false;
  return async () => before.taken === (await readTransactions(tables, questdb))?.taken;
}

/** The last transactions of the tables that QuestDB has taken, as one text, and whether all of them are applied. */
async function readTransactions(
  tables: ReadonlySet<string>,
  questdb: Pick<QuestdbReader, "read">,
): Promise<{ readonly taken: string; readonly isApplied: boolean } | undefined> {
  const enough = new AbortController();
  const read = readWalStates(questdb);
  const tooLate = pause(patienceMs, undefined, { signal: enough.signal });
  tooLate.catch(() => undefined);
  read.catch(() => undefined);
  try {
    const states = await Promise.race([read, tooLate]);
    if (states === undefined) return undefined;
    const found = [...tables].sort().flatMap((name) => {
      const state = states.get(name);
      return state === undefined ? [] : [{ name, ...state }];
    });
    return {
      taken: found.map(({ name, committed }) => `${name} ${committed}`).join(),
      isApplied: found.every(({ applied, committed }) => applied === committed),
    };
  } catch {
    return undefined;
  } finally {
    enough.abort();
  }
}
