import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Flips one bit of one byte of each log file below a directory that is chosen among their paths in it. */
export async function flipBits(
  directory: string,
  random: () => number,
  choose: (paths: readonly string[]) => readonly string[],
): Promise<void> {
  const paths = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith(".log"));
  for (const path of choose(paths)) {
    const bytes = await readFile(join(directory, path));
    if (bytes.length === 0) continue;
    const at = Math.floor(random() * bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
    await writeFile(join(directory, path), bytes);
  }
}
