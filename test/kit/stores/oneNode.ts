import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import type { QuestdbNodes } from "../../../src/store/shards/questdbNodes.ts";
import type { QuestdbNode } from "../../../src/store/shards/shard.ts";

/** An installation with the QuestDB that a reader reads. */
export function oneNode(reader: Pick<QuestdbReader, "read">): Pick<QuestdbNodes, "nodeOfEach" | "nodeOf" | "of"> {
  // What is given it is only used to read.
  const node = { shard: "", replica: "", name: "", reader, lostSinceMs: undefined } as unknown as QuestdbNode;
  return { nodeOfEach: async () => [node], nodeOf: async () => node, of: () => node.reader };
}
