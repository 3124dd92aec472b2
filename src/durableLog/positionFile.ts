import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** The position up to which a log is committed. */
export type FilePosition = { readonly file: number; readonly offset: number };

/**
 * Stores the committed position next to the files of a log, so that the next process does not store rows again whose file could
 * not be deleted. It has a checksum, since a position too far ahead would lose rows. Without a valid position the files are read
 * from their beginning, which stores rows again under the same keys.
 */
export class PositionFile {
  readonly #path: string;
  #file: FileHandle | undefined;

  constructor(directory: string) {
    this.#path = join(directory, positionFileName);
  }

  async write({ file, offset }: FilePosition): Promise<void> {
    const text = `${file} ${offset}`;
    this.#file ??= await open(this.#path, "w", 0o600);
    await this.#file.write(`${text} ${crc32(text)}`.padEnd(fixedLength), 0);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}

/** The position of the log in a directory; undefined without a valid one. */
export async function readPosition(directory: string): Promise<FilePosition | undefined> {
  const content = await readFile(join(directory, positionFileName), "utf8").catch(() => "");
  const [, text = "", file, offset, checksum] = /^((\d+) (\d+)) (\d+) *$/.exec(content) ?? [];
  return crc32(text) === Number(checksum) ? { file: Number(file), offset: Number(offset) } : undefined;
}

export const positionFileName = "position";

/** Longer than any position, so that a shorter one fully overwrites a longer one. */
const fixedLength = 64;
