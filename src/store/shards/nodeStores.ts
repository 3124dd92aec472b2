import type { QuestdbReader } from "../questdb/questdbReader.ts";
import type { RowWriter } from "../write/rowWriter.ts";
import type { QuestdbNodes } from "./questdbNodes.ts";
import type { QuestdbNode } from "./shard.ts";

/** A QuestDB with the rows of a website, and what writes records that are computed from them. */
export type NodeStores = {
  readonly node: Pick<QuestdbNode, "shard" | "replica" | "name" | "settings" | "lostSinceMs">;
  readonly questdb: QuestdbReader;
  readonly rows: Pick<RowWriter, "write">;
};

/** The same of one of several QuestDBs that get their rows through a log. */
export type ReplicaStores = NodeStores & {
  /** Whether the QuestDB has, within a time and for good, all that was written through the log before the call; at once without brokers. */
  keepsLog(withinMs: number, signal: AbortSignal): Promise<boolean>;
};

/** QuestDBs that have a website. */
export type StoresOfWebsites<S extends NodeStores = NodeStores> = {
  of(websiteId: string): Promise<readonly S[]>;
};

/** The one QuestDB of an installation without shards. */
export function onlyStores(node: QuestdbNode, rows: NodeStores["rows"]): StoresOfWebsites<ReplicaStores> {
  return { of: async () => [{ node, questdb: node.reader, rows, keepsLog: async () => true }] };
}

/**
 * With brokers: records are computed in the replica that is read, and reach all of them through the log, after the rows that they were computed
 * from.
 */
export function brokeredStores(
  nodes: Pick<QuestdbNodes, "nodeOf">,
  writerOf: (websiteId: string) => NodeStores["rows"],
): StoresOfWebsites {
  return {
    of: async (websiteId) => {
      const node = await nodes.nodeOf(websiteId);
      return [{ node, questdb: node.reader, rows: writerOf(websiteId) }];
    },
  };
}

/** A writer for each QuestDB. Replicas compute the same records from the same rows. */
export class NodeWriters implements StoresOfWebsites<ReplicaStores> {
  readonly #nodes: QuestdbNodes;
  readonly #writers: ReadonlyMap<QuestdbNode, RowWriter>;

  constructor(nodes: QuestdbNodes, makeWriter: (node: QuestdbNode) => RowWriter) {
    this.#nodes = nodes;
    this.#writers = new Map(nodes.nodes.map((node) => [node, makeWriter(node)]));
  }

  async of(websiteId: string): Promise<readonly ReplicaStores[]> {
    return (await this.#nodes.replicasOf(websiteId)).map((node) => this.storesOf(node));
  }

  /** Those of all replicas; none with a single QuestDB. */
  get ofReplicas(): readonly ReplicaStores[] {
    return this.#nodes.shards.length === 0 ? [] : this.#nodes.nodes.map((node) => this.storesOf(node));
  }

  storesOf(node: QuestdbNode): ReplicaStores {
    const rows = this.#writers.get(node);
    if (rows === undefined) throw new Error(`There is no writer for ${node.name}`);
    return { node, questdb: node.reader, rows, keepsLog: (...limits) => this.#nodes.keepsLog(node, ...limits) };
  }

  /** Resolves when every earlier write has ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#writers.values()].map((writer) => writer.close()));
  }
}
