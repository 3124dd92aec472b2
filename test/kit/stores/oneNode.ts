import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import type { QuestdbNode, Questdbs } from "../../../src/store/questdb/questdbs.ts";

/** An installation with the QuestDB that a reader reads. */
export function oneNode(reader: Pick<QuestdbReader, "read">): Pick<Questdbs, "nodeOfEach" | "nodeOf" | "of"> {
  // What is given it is only used to read.
  const node = { shard: "", replica: "", name: "", reader, lostSinceMs: undefined } as unknown as QuestdbNode;
  return { nodeOfEach: async () => [node], nodeOf: async () => node, of: () => node.reader };
}
