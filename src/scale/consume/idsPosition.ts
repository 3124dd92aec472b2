import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { whenMissing } from "../../errors/errorCode.ts";
import type { Positions } from "../kafka/topicReader.ts";

/** A file that says up to where of the log an EventIds knows the ids, so that what it lacks is read again. */
export class IdsPosition {
  readonly #path: string;

  constructor(directory: string) {
    this.#path = join(directory, "position.json");
  }

  /** Empty when it is not known. */
  async read(): Promise<Positions> {
    const text = await readFile(this.#path, "utf8").catch(whenMissing);
    if (text === undefined) return new Map();
    const offsets: Record<string, string> = JSON.parse(text);
    return new Map(Object.entries(offsets).map(([partition, offset]) => [Number(partition), BigInt(offset)]));
  }

  /** Call it after the ids before the positions are on the disk. */
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

/** Positions as JSON has them. */
export function offsetsOf(positions: Positions): Record<string, string> {
  return Object.fromEntries([...positions].map(([partition, offset]) => [partition, String(offset)]));
}
