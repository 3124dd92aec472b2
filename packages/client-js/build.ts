import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { packNpm } from "../packNpm.ts";

const source = import.meta.dirname;
const modules = join(source, "../../node_modules");

/** Compiles and packs @lookout/client. Resolves with the tarball's name. */
export async function buildClientJs(dist: string, version: string): Promise<string> {
  const folder = join(dist, "client-js");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const output = join(folder, "dist");
  await promisify(execFile)(process.execPath, [join(modules, "typescript/bin/tsc"), "-p", source, "--outDir", output]);
  await nameCompiledFiles(output);
  return await packNpm(source, folder, dist, version);
}

/** TypeScript keeps `.ts` in the import paths of declarations; other projects know the files by their compiled names. */
async function nameCompiledFiles(folder: string): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith(".d.ts")) continue;
    const file = join(folder, path);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.js"'));
  }
}
