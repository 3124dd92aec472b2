import { type Cell, executeStatement } from "./executeStatement.ts";
import type { QuestdbReader } from "./questdbReader.ts";

/** How far QuestDB has come with a table (wal_tables()). Transaction numbers only grow. */
export type WalState = {
  /** The last transaction that was committed. */
  readonly committed: number;
  /** The last one that was applied to the table. */
  readonly applied: number;
  readonly isSuspended: boolean;
  /** Why it is suspended: what QuestDB ran out of, if it knows, and its message. Empty while it is not. */
  readonly errorTag: string;
  readonly reason: string;
};

const columns = ["name", "suspended", "writerTxn", "sequencerTxn", "errorTag", "errorMessage"] as const;
const statement = `SELECT ${columns.join(", ")} FROM wal_tables()`;

/** The states of all tables, by name. */
export async function readWalStates(
  questdb: Pick<QuestdbReader, "read">,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, WalState>> {
  const rows = await questdb.read(statement, [], signal === undefined ? {} : { signal });
  return statesOf(rows.map((row) => columns.map((column) => row[column] ?? null)));
}

/** The same without a connection to QuestDB of its own. */
export async function askWalStates(
  address: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, WalState>> {
  return statesOf(await executeStatement(address, statement, timeoutMs, signal));
}

function statesOf(rows: readonly (readonly Cell[])[]): ReadonlyMap<string, WalState> {
  return new Map(
    rows.map(([name, suspended, applied, committed, errorTag, reason]) => [
      String(name),
      {
        committed: Number(committed),
        applied: Number(applied),
        isSuspended: suspended === true,
        errorTag: String(errorTag ?? ""),
        reason: String(reason ?? ""),
      },
    ]),
  );
}
