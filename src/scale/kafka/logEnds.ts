import type { Offsets } from "../../durableLog/offsets.ts";
import { offsetsOf } from "./positions.ts";
import type { TopicReader } from "./topicReader.ts";

/** The end offsets of each shard's log, by partition as text. Connects on first use: few processes ever need it. */
export class LogEnds {
  readonly #newReader: (shard: string) => TopicReader;
  readonly #readers = new Map<string, TopicReader>();

  constructor(newReader: (shard: string) => TopicReader) {
    this.#newReader = newReader;
  }

  async of(shard: string): Promise<Offsets> {
    const reader = this.#readers.get(shard) ?? this.#newReader(shard);
    this.#readers.set(shard, reader);
    try {
      return offsetsOf(await reader.end());
    } catch (error) {
      // Another broker may lead a partition now: a new reader looks it up.
      if (this.#readers.get(shard) === reader) this.#readers.delete(shard);
      void reader.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readers.values()].map((reader) => reader.close()));
  }
}
