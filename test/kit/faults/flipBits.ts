import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Flips one bit of one byte of each log file below a directory whose path in it is chosen. */
export async function flipBits(
  directory: string,
  random: () => number,
  isChosen: (path: string) => boolean = () => true,
): Promise<void> {
  for (const path of await readdir(directory, { recursive: true })) {
    if (!path.endsWith(".log") || !isChosen(path)) continue;
    const bytes = await readFile(join(directory, path));
    if (bytes.length === 0) continue;
    const at = Math.floor(random() * bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
    await writeFile(join(directory, path), bytes);
  }
}
