import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Packs an npm package: what is already in `folder`, with the manifest and README of `source`, the licence and the
 * version of the release. The tarball is written to `dist` under the name that npm gives it, which is returned.
 */
export async function packNpm(source: string, folder: string, dist: string, version: string): Promise<string> {
  const manifest = { ...JSON.parse(await readFile(join(source, "package.json"), "utf8")), version };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(join(source, "README.md"), join(folder, "README.md"));
  await cp(join(import.meta.dirname, "../LICENSE"), join(folder, "LICENSE"));
  const { stdout } = await promisify(execFile)("npm", ["pack", "--silent", "--pack-destination", dist], {
    cwd: folder,
  });
  return stdout.trim();
}
