import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findProgram } from "../../../stack/programs.ts";

const source = fileURLToPath(new URL("../faults/failingMaps.c", import.meta.url));

/** A compiler of C, if there is one. */
export const compiler = ["cc", "gcc", "clang"]
  .map((name) => findProgram(name, process.env["PATH"] ?? ""))
  .find((path) => path !== undefined);

/** Builds failingMaps.c. Returns what a process gets in its environment so that its mappings fail while the file `during` exists. */
export async function failingMaps(directory: string, oneIn: number, during: string): Promise<Record<string, string>> {
  if (compiler === undefined) throw new Error("there is no C compiler");
  const library = join(directory, "failingMaps.so");
  await promisify(execFile)(compiler, ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"]);
  return { LD_PRELOAD: library, MAP_FAIL_ONE_IN: String(oneIn), MAP_FAIL_WHILE: during };
}
