import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { whenMissing } from "../../errors/errorCode.ts";
import type { BackupPart } from "../manifest.ts";
import type { Source } from "./packPart.ts";

/** A file on disk as it was found. */
export type FoundFile = {
  readonly file: string;
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
  readonly inode: number;
};

/**
 * The files of a directory, sorted. `place` followed by the path below `root` is their path in the backup. Files that vanish
 * meanwhile are left out.
 */
export async function findFiles(
  root: string,
  directory: string,
  place: string,
  isRecursive: boolean,
): Promise<FoundFile[]> {
  const entries = (await readdir(directory, { withFileTypes: true }).catch(whenMissing)) ?? [];
  const found: FoundFile[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = join(directory, entry.name);
    if (entry.isDirectory() && isRecursive) found.push(...(await findFiles(root, file, place, true)));
    if (!entry.isFile()) continue;
    const facts = await stat(file).catch(whenMissing);
    if (facts === undefined) continue;
    const path = `${place}${relative(root, file)}`;
    found.push({ file, path, bytes: facts.size, changedMs: Math.floor(facts.mtimeMs), inode: facts.ino });
  }
  return found;
}

/** A file as a source of a part. Only the bytes that it had when it was found are read, since it may be appended to. */
export function sourceOf({ file, path, bytes, changedMs, inode }: FoundFile): Source {
  return {
    path,
    changedMs,
    inode,
    open: async () => {
      if (bytes === 0) return nothing();
      const handle = await open(file, "r").catch(whenMissing);
      return handle && createReadStream(file, { fd: handle, end: bytes - 1, highWaterMark: pieceBytes });
    },
  };
}

/**
 * The part of an earlier backup that still holds exactly these files, so that they need not be read; undefined without one.
 *
 * A change through mapped memory sets the time of a file only when its page is clean. So a file counts as unchanged if its last
 * change was long before the earlier backup: by then the system had written its pages, and any later change has set a later time.
 */
export function unchangedPart(
  earlier: BackupPart | undefined,
  earlierStartedMs: number,
  found: readonly FoundFile[],
): BackupPart | undefined {
  if (earlier === undefined || earlier.files.length !== found.length) return undefined;
  const isSame = found.every((file, index) => {
    const known = earlier.files[index];
    return (
      known !== undefined &&
      known.path === file.path &&
      known.bytes === file.bytes &&
      known.changedMs === file.changedMs &&
      known.inode === file.inode &&
      file.changedMs < earlierStartedMs - writtenBackMs
    );
  });
  return isSame ? earlier : undefined;
}

/** Linux writes changed pages to the disk within half a minute. */
const writtenBackMs = 600_000;

const pieceBytes = 256 * 1_024;

async function* nothing(): AsyncGenerator<Uint8Array> {}
