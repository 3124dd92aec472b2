import { createHash, type Hash } from "node:crypto";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { restoringDirectory } from "../../store/write/dataDir.ts";
import { BackupError } from "../backupError.ts";
import { type BackedUpFile, type BackupPart, type Manifest, objectName, places } from "../manifest.ts";
import type { BackupTarget } from "../target/backupTarget.ts";

/** Where the tables of PostgreSQL are put, below DATA_DIR, until they are loaded. */
export const tablesDirectory = join(restoringDirectory, "postgres");

/**
 * Writes all files of a backup below `dataDir`, and compares each with its checksum. Rejects with BackupError when one
 * is missing or damaged.
 */
export async function unpackBackup(
  target: BackupTarget,
  { parts }: Manifest,
  dataDir: string,
  onProgress: (text: string) => void,
): Promise<void> {
  let bytes = 0;
  for (const part of parts) {
    await unpackPart(target, part, dataDir);
    bytes += part.files.reduce((sum, file) => sum + file.bytes, 0);
    onProgress(`${Math.round(bytes / 1e6).toLocaleString("en")} MB written`);
  }
}

/** The place of a file of a backup below DATA_DIR. Throws BackupError for a path that leaves it. */
export function placeOf(path: string): string {
  const [place, rest] = path.startsWith(places.questdb)
    ? ["questdb", path.slice(places.questdb.length)]
    : path.startsWith(places.postgres)
      ? [tablesDirectory, path.slice(places.postgres.length)]
      : ["", path.startsWith(places.dataDir) ? path.slice(places.dataDir.length) : ""];
  const isSafe = rest !== "" && normalize(rest) === rest && !rest.startsWith("/") && !rest.startsWith("..");
  if (!isSafe) throw new BackupError(`The backup has a file ${path}, which no backup of this version has.`);
  return join(place, rest);
}

async function unpackPart(target: BackupTarget, { object, files }: BackupPart, dataDir: string): Promise<void> {
  const name = objectName(object);
  const writer = new FileWriter(files, dataDir);
  try {
    await pipeline(target.read(name), createZstdDecompress(), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) await writer.take(piece);
      await writer.end();
    });
  } catch (error) {
    const isDamaged =
      error instanceof DamagedError || (error instanceof Error && "code" in error && isZlib(error.code));
    if (!isDamaged) throw error;
    throw new BackupError(
      `${target.place}/${name} is damaged: its bytes do not match their checksum. Name another backup with --from.`,
    );
  } finally {
    await writer.close();
  }
}

function isZlib(code: unknown): boolean {
  return typeof code === "string" && /^(ZSTD|Z)_|^ERR_ZLIB/.test(code);
}

class DamagedError extends Error {
  override name = "DamagedError";
}

/** Takes the bytes of several files, one after the other, and writes each file. */
class FileWriter {
  readonly #files: BackedUpFile[];
  readonly #dataDir: string;
  #current: { readonly file: BackedUpFile; readonly handle: FileHandle; readonly hash: Hash; left: number } | undefined;

  constructor(files: readonly BackedUpFile[], dataDir: string) {
    this.#files = [...files];
    this.#dataDir = dataDir;
  }

  async take(piece: Buffer): Promise<void> {
    for (let offset = 0; offset < piece.length; ) {
      const current = this.#current ?? (await this.#next());
      if (current === undefined) throw new DamagedError();
      const bytes = piece.subarray(offset, offset + current.left);
      await current.handle.writeFile(bytes);
      current.hash.update(bytes);
      current.left -= bytes.length;
      offset += bytes.length;
      if (current.left === 0) await this.#finish();
    }
  }

  /** The end of all bytes. */
  async end(): Promise<void> {
    if (this.#current !== undefined || (await this.#next()) !== undefined) throw new DamagedError();
  }

  async close(): Promise<void> {
    await this.#current?.handle.close();
  }

  /** Opens the next file that has bytes; empty ones before it are made. */
  async #next() {
    for (let file = this.#files.shift(); file !== undefined; file = this.#files.shift()) {
      const path = join(this.#dataDir, placeOf(file.path));
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const handle = await open(path, "w", 0o600);
      this.#current = { file, handle, hash: createHash("sha256"), left: file.bytes };
      if (file.bytes > 0) return this.#current;
      await this.#finish();
    }
    return undefined;
  }

  async #finish(): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    await current.handle.close();
    if (current.hash.digest("hex") !== current.file.sha256) throw new DamagedError();
  }
}
