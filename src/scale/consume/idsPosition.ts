import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { whenMissing } from "../../errors/errorCode.ts";
import type { Positions } from "../kafka/topicReader.ts";

/** A file with the offsets up to which EventIds knows the ids of the log, so that missing ids are read again. */
export class IdsPosition {
  readonly #path: string;

  constructor(directory: string) {
    this.#path = join(directory, "position.json");
  }

  /** Empty when unknown. */
  async read(): Promise<Positions> {
    const text = await readFile(this.#path, "utf8").catch(whenMissing);
    if (text === undefined) return new Map();
    const offsets: Record<string, string> = JSON.parse(text);
    return new Map(Object.entries(offsets).map(([partition, offset]) => [Number(partition), BigInt(offset)]));
  }

  /** Call it once the ids before the positions are on disk. */
  async write(positions: Positions): Promise<void> {
    const draft = `${this.#path}.new`;
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(JSON.stringify(offsetsOf(positions)));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, this.#path);
  }

  async clear(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/** Positions in the form for JSON. */
export function offsetsOf(positions: Positions): Record<string, string> {
  return Object.fromEntries([...positions].map(([partition, offset]) => [partition, String(offset)]));
}
