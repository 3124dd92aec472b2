import type { Config } from "../../config.ts";
import { QuestdbReader } from "./questdbReader.ts";
import type { OwnerReader, QuestdbNode, Questdbs } from "./questdbs.ts";

/** The one QuestDB of QUESTDB_HTTP and QUESTDB_PG, which has all rows. */
export class SingleQuestdb implements Questdbs {
  readonly #node: QuestdbNode;

  constructor(settings: Config["questdb"]) {
    const reader = new QuestdbReader(settings);
    this.#node = { shard: "", replica: "", name: "", settings, reader, lostSinceMs: undefined };
  }

  of(): OwnerReader {
    return this.#node.reader;
  }

  async nodeOf(): Promise<QuestdbNode> {
    return this.#node;
  }

  async nodeOfEach(): Promise<readonly QuestdbNode[]> {
    return [this.#node];
  }

  get nodes(): readonly QuestdbNode[] {
    return [this.#node];
  }

  get notServing(): [] {
    return [];
  }

  only(): QuestdbNode {
    return this.#node;
  }

  async watch(): Promise<void> {}

  async close(): Promise<void> {
    await this.#node.reader.close();
  }
}
