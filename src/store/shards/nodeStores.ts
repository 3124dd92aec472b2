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

/** QuestDBs that have a website. */
export type StoresOfWebsites = {
  of(websiteId: string): Promise<readonly NodeStores[]>;
};

/** The one QuestDB of an installation without shards. */
export function onlyStores(node: QuestdbNode, rows: NodeStores["rows"]): StoresOfWebsites {
  return { of: async () => [{ node, questdb: node.reader, rows }] };
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
export class NodeWriters implements StoresOfWebsites {
  readonly #nodes: QuestdbNodes;
  readonly #writers: ReadonlyMap<QuestdbNode, RowWriter>;

  constructor(nodes: QuestdbNodes, makeWriter: (node: QuestdbNode) => RowWriter) {
    this.#nodes = nodes;
    this.#writers = new Map(nodes.nodes.map((node) => [node, makeWriter(node)]));
  }

  async of(websiteId: string): Promise<readonly NodeStores[]> {
    return (await this.#nodes.replicasOf(websiteId)).map((node) => this.storesOf(node));
  }

  /** Those of all replicas; none with a single QuestDB. */
  get ofReplicas(): readonly NodeStores[] {
    return this.#nodes.shards.length === 0 ? [] : this.#nodes.nodes.map((node) => this.storesOf(node));
  }

  storesOf(node: QuestdbNode): NodeStores {
    const rows = this.#writers.get(node);
    if (rows === undefined) throw new Error(`There is no writer for ${node.name}`);
    return { node, questdb: node.reader, rows };
  }

  /** Resolves when every earlier write has ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#writers.values()].map((writer) => writer.close()));
  }
}
