import { createWriteStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

/** The same for each build, so that equal files give an equal archive. Older dates do not fit into an archive. */
const mtime = new Date("1980-01-02T00:00:00Z");

/** Writes every file of a folder into an archive, its path after `prefix`. */
export async function zipFolder(folder: string, prefix: string, target: string): Promise<void> {
  const archive = new ZipFile();
  for (const path of (await readdir(folder, { recursive: true })).toSorted())
    if ((await stat(join(folder, path))).isFile()) archive.addFile(join(folder, path), join(prefix, path), { mtime });
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(target));
}
