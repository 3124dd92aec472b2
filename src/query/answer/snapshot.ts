import { within } from "../../concurrency/within.ts";
import type { Questdbs } from "../../store/questdb/questdbs.ts";
import type { TableName } from "../../store/questdb/tables.ts";
import { readWalStates } from "../../store/questdb/walStates.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import { tablesWithinVisits } from "../sql/fields.ts";

/** A slow store must not delay the answer; after this time the result is "unknown". */
const timeoutMs = 1_000;

/** Types about what belongs to visits also read these. */
const ofVisits: readonly TableName[] = ["events", "outgoing_links", "sessions", "performance_metrics"];

/**
 * Reads the state of the tables of these types. The returned function says whether it is unchanged, so whether all
 * statements in between saw the same rows: QuestDB has no snapshot across statements. False when that is unknown.
 */
export async function takeSnapshot(
  types: Iterable<Pick<QueryType, "table">>,
  questdb: Pick<Questdbs, "nodeOf">,
  owner: string,
): Promise<() => Promise<boolean>> {
  const tables = new Set<string>();
  for (const { table } of types)
    for (const name of isWithinVisits(table) ? [table, ...ofVisits] : [table]) tables.add(name);
  const before = await readTransactions(tables, questdb, owner);
  // While transactions are being applied, statements see some of them before wal_tables() shows it.
  if (before?.isApplied !== true) return async () => false;
  return async () => before.taken === (await readTransactions(tables, questdb, owner))?.taken;
}

function isWithinVisits(table: QueryType["table"]): boolean {
  return table === "events" || table === "outgoing_links" || tablesWithinVisits.some((within) => within === table);
}

/** The node that is read and the last transactions that it committed to the tables, as one text, and whether all of them are applied. */
async function readTransactions(
  tables: ReadonlySet<string>,
  questdb: Pick<Questdbs, "nodeOf">,
  owner: string,
): Promise<{ readonly taken: string; readonly isApplied: boolean } | undefined> {
  const read = async () => {
    const { name, reader } = await questdb.nodeOf(owner);
    return { node: name, states: await readWalStates(reader) };
  };
  const answer = await within(timeoutMs, read()).catch(() => undefined);
  if (answer === undefined) return undefined;
  const { node, states } = answer;
  const found = [...tables].sort().flatMap((name) => {
    const state = states.get(name);
    return state === undefined ? [] : [{ name, ...state }];
  });
  return {
    taken: [node, ...found.map(({ name, committed }) => `${name} ${committed}`)].join(),
    isApplied: found.every(({ applied, committed }) => applied === committed),
  };
}
