import type { KeyedRow } from "../write/keyedRow.ts";
import { ownerOfRow } from "../write/rowOwner.ts";
import type { QuestdbNodes } from "./questdbNodes.ts";

/** Rows that are stored in the same QuestDBs, by the addresses of their HTTP servers. */
export type RowsOfShard<Row> = { readonly https: readonly string[]; readonly rows: readonly Row[] };

/** Says where rows belong if there are several QuestDBs. */
export type CommitTargets = {
  /** The rows by shard; a row of an organization that moves is in two. */
  split<Row extends KeyedRow>(rows: readonly Row[]): Promise<readonly RowsOfShard<Row>[]>;
};

/** The targets of an installation with shards; undefined with a single QuestDB, which gets all rows. */
export function commitTargetsOf(nodes: QuestdbNodes): CommitTargets | undefined {
  if (nodes.shards.length === 0) return undefined;
  return {
    async split(rows) {
      const byShard = new Map<string, (typeof rows)[number][]>();
      for (const [owner, owned] of Map.groupBy(rows, ownerOfRow))
        for (const shard of await nodes.shardsToWrite(owner)) {
          const list = byShard.get(shard) ?? [];
          for (const row of owned) list.push(row);
          byShard.set(shard, list);
        }
      return [...byShard].map(([shard, ofShard]) => ({
        https: nodes.nodes.filter((node) => node.shard === shard).map(({ settings }) => settings.http),
        rows: ofShard,
      }));
    },
  };
}
