import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { clientProto } from "./clientProto.ts";

const root = join(import.meta.dirname, "../..");
const source = join(root, "proto");
const packageFolder = join("lookout", "v1");

/**
 * Writes the contract for clients into an empty folder: the protos of lookout.v1 without the options that only the
 * service reads, a buf module that needs no other, and templates for `buf generate`.
 */
export async function buildContract(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, packageFolder), { recursive: true });
  for (const name of await readdir(join(source, packageFolder))) {
    const text = await readFile(join(source, packageFolder, name), "utf8");
    await writeFile(join(folder, packageFolder, name), clientProto(text));
  }
  for (const name of ["buf.yaml", "README.md", "templates"])
    await cp(join(import.meta.dirname, name), join(folder, name), { recursive: true });
  await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
  await promisify(execFile)(join(root, "node_modules/.bin/buf"), ["format", "--write"], { cwd: folder });
}
