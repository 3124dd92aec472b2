import { createHash, type Hash } from "node:crypto";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { restoringDirectory } from "../../store/write/dataDir.ts";
import { BackupError } from "../backupError.ts";
import { type BackedUpFile, type BackupPart, type Manifest, objectName, places } from "../manifest.ts";
import { filesOfServers } from "../take/dataDirParts.ts";
import type { BackupTarget } from "../target/backupTarget.ts";

/** Where the tables of PostgreSQL are, below DATA_DIR, until they are loaded. */
export const tablesDirectory = join(restoringDirectory, "postgres");

/**
 * Writes all files of a backup below `dataDir`, and compares each with its checksum. Rejects with BackupError when one
 * is missing or damaged.
 */
export async function unpackBackup(
  target: BackupTarget,
  manifest: Manifest,
  dataDir: string,
  onProgress: (text: string) => void,
): Promise<void> {
  // Check all paths before anything is written.
  for (const { files } of manifest.parts) for (const { path } of files) placeOf(path);
  await readBackup(target, manifest, (file) => createFile(join(dataDir, placeOf(file.path))), onProgress);
}

/** Reads all files of a backup, and compares each with its checksum. Rejects with BackupError when one is missing or damaged. */
export async function checkBackup(
  target: BackupTarget,
  manifest: Manifest,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await readBackup(target, manifest, async () => nowhere, onProgress, signal);
}

async function readBackup(
  target: BackupTarget,
  { parts }: Manifest,
  create: (file: BackedUpFile) => Promise<Sink>,
  onProgress: (text: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  let bytes = 0;
  for (const part of parts) {
    signal?.throwIfAborted();
    await readPart(target, part, create);
    bytes += part.files.reduce((sum, file) => sum + file.bytes, 0);
    onProgress(`${Math.round(bytes / 1e6).toLocaleString("en")} MB read`);
  }
}

/** Where the bytes of a file go. */
type Sink = Pick<FileHandle, "writeFile" | "close">;

const nowhere: Sink = { writeFile: async () => undefined, close: async () => undefined };

async function createFile(path: string): Promise<Sink> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return await open(path, "w", 0o600);
}

/**
 * The place of a backup's file below DATA_DIR. Throws BackupError for a path that no backup has: such a file could be settings of
 * a server, or a server's whole data.
 */
export function placeOf(path: string): string {
  const found = kinds.find(({ begins, rest }) => path.startsWith(begins) && rest.test(path.slice(begins.length)));
  const rest = path.slice(found?.begins.length);
  const isPlain = normalize(rest) === rest && !rest.split("/").includes("..") && !/\p{Cc}|\\/u.test(rest);
  const isOfServer = found?.place === "" && filesOfServers.includes(rest);
  if (found === undefined || !isPlain || isOfServer)
    throw new BackupError(
      `The backup has a file ${JSON.stringify(path).slice(0, 200)}, which no backup of this version has, so it was changed. Restore another one.`,
    );
  return join(found.place, rest);
}

/** The files that backups have, by the prefix of their path. */
const kinds: readonly { readonly begins: string; readonly place: string; readonly rest: RegExp }[] = [
  { begins: places.questdb, place: "questdb", rest: /^(db|\.checkpoint)\/./ },
  { begins: places.postgres, place: tablesDirectory, rest: /^[a-z][a-z0-9_]*$/ },
  { begins: places.dataDir, place: "", rest: /^log\/./ },
  // Files beside the log: credentials.json, and what an operator may have put there.
  { begins: places.dataDir, place: "", rest: /^[A-Za-z0-9][\w.-]*$/ },
];

async function readPart(
  target: BackupTarget,
  { object, storedBytes, files }: BackupPart,
  create: (file: BackedUpFile) => Promise<Sink>,
): Promise<void> {
  const name = objectName(object);
  const writer = new FileWriter(files, create);
  let bytesRead = 0;
  const stored = async function* () {
    for await (const piece of target.read(name)) {
      bytesRead += piece.length;
      yield piece;
    }
  };
  try {
    await pipeline(stored, createZstdDecompress(), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) await writer.take(piece);
      await writer.end();
    });
    // Node does not detect a frame without content that was cut, or bytes missing after the last frame.
    if (bytesRead !== (storedBytes ?? bytesRead)) throw new DamagedError();
  } catch (error) {
    const isDamaged =
      error instanceof DamagedError || (error instanceof Error && "code" in error && isZlib(error.code));
    if (!isDamaged) throw error;
    throw new BackupError(
      `${target.place}/${name} is damaged: its bytes do not match their checksum. Name another backup with --backup.`,
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
  readonly #create: (file: BackedUpFile) => Promise<Sink>;
  #current: { readonly file: BackedUpFile; readonly handle: Sink; readonly hash: Hash; left: number } | undefined;

  constructor(files: readonly BackedUpFile[], create: (file: BackedUpFile) => Promise<Sink>) {
    this.#files = [...files];
    this.#create = create;
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

  /** Ends all files; throws if bytes are missing. */
  async end(): Promise<void> {
    if (this.#current !== undefined || (await this.#next()) !== undefined) throw new DamagedError();
  }

  async close(): Promise<void> {
    await this.#current?.handle.close();
  }

  /** Opens the next file that has bytes; creates empty files before it. */
  async #next() {
    for (let file = this.#files.shift(); file !== undefined; file = this.#files.shift()) {
      const handle = await this.#create(file);
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
