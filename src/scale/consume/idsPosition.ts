import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { whenMissing } from "../../errors/errorCode.ts";
import { offsetsOf, type Positions, positionsOf } from "../kafka/positions.ts";

/** A file with the offsets up to which EventIds knows the ids of the log, so that missing ids are read again. */
export class IdsPosition {
  readonly #path: string;

  constructor(directory: string) {
    this.#path = join(directory, "position.json");
  }

  /** Empty when unknown. */
  async read(): Promise<Positions> {
    const text = await readFile(this.#path, "utf8").catch(whenMissing);
    return positionsOf(text === undefined ? {} : JSON.parse(text));
  }

  /** Call it once the ids before the positions are on disk. */
  async write(positions: Positions): Promise<void> {
    const draft = `${this.#path}.new`;
    await writeFile(draft, JSON.stringify(offsetsOf(positions)), { mode: 0o600, flush: true });
    await rename(draft, this.#path);
  }

  async clear(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
