import type { QuestdbNode } from "../../store/questdb/questdbs.ts";
import type { RowWriter } from "../../store/write/rowWriter.ts";
import type { NodeStores, ReplicaStores, StoresOfWebsites } from "../../store/write/storesOfWebsites.ts";
import type { ShardedQuestdbs } from "./shardedQuestdbs.ts";

/**
 * The stores of computed records with brokers. Their source rows are read from the replica in use. The records reach all replicas
 * through the log, after the rows that they were computed from.
 */
export function brokeredStores(
  questdbs: Pick<ShardedQuestdbs, "nodeOf">,
  writerOf: (websiteId: string) => NodeStores["rows"],
): StoresOfWebsites {
  return {
    of: async (websiteId) => {
      const node = await questdbs.nodeOf(websiteId);
      return [{ node, questdb: node.reader, rows: writerOf(websiteId) }];
    },
  };
}

/** A writer for each replica, since an erasure changes each of them by itself. */
export class ReplicaWriters implements StoresOfWebsites<ReplicaStores> {
  readonly #questdbs: ShardedQuestdbs;
  readonly #writers: ReadonlyMap<QuestdbNode, RowWriter>;

  constructor(questdbs: ShardedQuestdbs, makeWriter: (node: QuestdbNode) => RowWriter) {
    this.#questdbs = questdbs;
    this.#writers = new Map(questdbs.nodes.map((node) => [node, makeWriter(node)]));
  }

  async of(websiteId: string): Promise<readonly ReplicaStores[]> {
    return (await this.#questdbs.replicasOf(websiteId)).map((node) => this.#storesOf(node));
  }

  /** The stores of all replicas. */
  get ofAll(): readonly ReplicaStores[] {
    return this.#questdbs.nodes.map((node) => this.#storesOf(node));
  }

  #storesOf(node: QuestdbNode): ReplicaStores {
    const rows = this.#writers.get(node);
    if (rows === undefined) throw new Error(`There is no writer for ${node.name}`);
    return { node, questdb: node.reader, rows, keepsLog: (...limits) => this.#questdbs.keepsLog(node, ...limits) };
  }
}
