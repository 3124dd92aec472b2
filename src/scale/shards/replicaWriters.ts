import type { QuestdbNode } from "../../store/questdb/questdbs.ts";
import type { NodeStores, ReplicaStores, StoresOfWebsites } from "../../store/write/storesOfWebsites.ts";
import type { ShardedQuestdbs } from "./shardedQuestdbs.ts";

/** A writer for each replica, since an erasure changes each of them by itself. */
export type ReplicaWriters = StoresOfWebsites<ReplicaStores> & {
  /** The stores of all replicas. */
  readonly ofAll: readonly ReplicaStores[];
};

export function replicaWriters(
  questdbs: ShardedQuestdbs,
  newWriter: (node: QuestdbNode) => NodeStores["rows"],
): ReplicaWriters {
  const ofAll = questdbs.nodes.map(
    (node): ReplicaStores => ({
      node,
      questdb: node.reader,
      rows: newWriter(node),
      keepsLog: (...limits) => questdbs.keepsLog(node, ...limits),
    }),
  );
  return {
    of: async (websiteId) => {
      const nodes = await questdbs.replicasOf(websiteId);
      return ofAll.filter(({ node }) => nodes.some(({ name }) => name === node.name));
    },
    ofAll,
  };
}
