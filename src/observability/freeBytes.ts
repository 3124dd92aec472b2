import { statfs } from "node:fs/promises";

/** How many bytes may still be written to the disk of a path. Rejects when there is no such path. */
export async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
