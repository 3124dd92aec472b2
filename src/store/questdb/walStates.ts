import { executeStatement } from "./executeStatement.ts";
import type { QuestdbAddress } from "./questdbAddress.ts";
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

const statement = "SELECT name, suspended, writerTxn, sequencerTxn, errorTag, errorMessage FROM wal_tables()";

/** The states of all tables, by name. */
export async function readWalStates(
  questdb: Pick<QuestdbReader, "read">,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, WalState>> {
  const rows = await questdb.read(statement, [], signal === undefined ? {} : { signal });
  return new Map(
    rows.map((row) => [
      String(row["name"]),
      {
        committed: Number(row["sequencerTxn"]),
        applied: Number(row["writerTxn"]),
        isSuspended: row["suspended"] === true,
        errorTag: String(row["errorTag"] ?? ""),
        reason: String(row["errorMessage"] ?? ""),
      },
    ]),
  );
}

/** The same without a connection to QuestDB of its own. */
export async function askWalStates(
  address: QuestdbAddress,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, WalState>> {
  const rows = await executeStatement(address, statement, timeoutMs, signal);
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
