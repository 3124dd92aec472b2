import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readConfig } from "../../../src/config.ts";
import { findProgram } from "../../../stack/programs.ts";
import { findJava } from "../../../stack/provision/java.ts";

const source = fileURLToPath(new URL("./failingMaps.c", import.meta.url));

/** A Java whose mappings of files can be made to fail, as they do at vm.max_map_count. */
export type FailingMaps = {
  /** The settings with which a stack runs its QuestDB on it. */
  readonly env: { readonly JAVA_HOME: string };
  /** From now on one in `oneIn` of its read-only mappings fails. */
  begin(): Promise<void>;
  end(): Promise<void>;
  remove(): Promise<void>;
};

/** Undefined where there is no C compiler. */
export async function failingMaps(oneIn: number): Promise<FailingMaps | undefined> {
  const compiler = findProgram("gcc", process.env["PATH"] ?? "") ?? findProgram("cc", process.env["PATH"] ?? "");
  if (compiler === undefined) return undefined;
  const directory = await mkdtemp(join(tmpdir(), "lookout-maps-"));
  const library = join(directory, "failingMaps.so");
  await promisify(execFile)(compiler, ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"]);
  const java = await findJava(readConfig({ ...process.env, CACHE_DIR: directory }), AbortSignal.timeout(60_000));
  const failing = join(directory, "failing");
  const settings = `LD_PRELOAD='${library}' MAP_FAIL_ONE_IN=${oneIn} MAP_FAIL_WHILE='${failing}'`;
  await mkdir(join(directory, "bin"));
  await writeFile(join(directory, "bin", "java"), `#!/bin/sh\n${settings} exec '${java}' "$@"\n`, { mode: 0o755 });
  return {
    env: { JAVA_HOME: directory },
    begin: () => writeFile(failing, ""),
    end: () => rm(failing, { force: true }),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
