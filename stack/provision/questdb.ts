import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes } from "../../src/errors/startFailure.ts";
import { StackError } from "../error.ts";
import { findProgram } from "../programs.ts";
import { runTool, type ToolOptions } from "../tool.ts";
import { installedAt, installOnce, type Provisioning } from "./install.ts";
import { annotations, checksums, compiler, jarName, project, version, workDirectory } from "./questdbFiles.ts";
import { compilerArguments, patchedSources, patchOf, patchSources } from "./questdbPatch.ts";

/** What runs QuestDB. */
export type QuestdbProgram = {
  readonly java: string;
  readonly jar: string;
  /** A directory of classes that replace classes of the jar. */
  readonly patch?: string;
};

/**
 * QuestDB with its patches, from the cache or with Maven; or the jar of QUESTDB_JAR unchanged. Throws a StackError if none of
 * them is available.
 */
export function planQuestdb(provisioning: Provisioning, java: string): () => Promise<QuestdbProgram> {
  const { config, log, signal } = provisioning;
  const { questdbJar, path, environment } = config.stack;
  if (questdbJar) {
    if (!existsSync(questdbJar)) throw new StackError(`QUESTDB_JAR names ${questdbJar}, which does not exist.`);
    return async () => {
      if ((await sha256Of(questdbJar)) === checksums[jarName])
        log(`QUESTDB_JAR is QuestDB ${version} without the patches of npm start: answers may lack rows. Unset it.`);
      return { java, jar: questdbJar };
    };
  }
  const name = installationName();
  const otherWays = `or copy ${installedAt(config, name)} from a machine that has it, or set QUESTDB_HTTP and QUESTDB_PG to a running QuestDB`;
  const maven = findProgram("mvn", path);
  if (!maven && !existsSync(installedAt(config, name)))
    throw new StackError(`QuestDB comes with Maven, and mvn is not on PATH. Install Maven, ${otherWays}.`);

  return async () => {
    const directory = await installOnce(
      provisioning,
      name,
      `Getting QuestDB ${version} with Maven`,
      async (part, note) => {
        const options: ToolOptions = { env: environment, cwd: part, signal, onLine: note };
        await getFiles(maven ?? "mvn", part, options, otherWays);
        await compilePatches(java, part, options);
      },
    );
    return { java, jar: join(directory, jarName), patch: join(directory, patchDirectory) };
  };
}

const patchDirectory = "patch";

/** Other patches make another installation: an older version has others, or none. */
function installationName(): string {
  const patches = createHash("sha256");
  for (const source of patchedSources) patches.update(readFileSync(patchOf(source)));
  return `questdb-${version}-${patches.digest("hex").slice(0, 8)}`;
}

async function getFiles(maven: string, part: string, options: ToolOptions, otherWays: string): Promise<void> {
  const projectFile = join(part, workDirectory, "pom.xml");
  await mkdir(join(part, workDirectory));
  await writeFile(projectFile, project);
  const { code, output } = await runTool(maven, ["--batch-mode", "-f", projectFile, "validate"], options);
  if (code !== 0)
    throw new StackError(
      `Maven could not get QuestDB:\n${output}\nCheck Maven's network settings, ${otherWays}.`,
      exitCodes.failed,
    );
  for (const [path, expected] of Object.entries(checksums)) {
    const sha256 = await sha256Of(join(part, path));
    if (sha256 !== expected)
      throw new StackError(
        `Maven got a ${path} for QuestDB that is not the published one (SHA-256 ${sha256}). Check your mirror, ${otherWays}.`,
      );
  }
}

async function compilePatches(java: string, part: string, options: ToolOptions): Promise<void> {
  const at = (path: string) => join(part, path);
  await patchSources(at(workDirectory));
  const args = compilerArguments(at(compiler), [at(jarName), at(annotations)], at(workDirectory), at(patchDirectory));
  const { code, output } = await runTool(java, args, options);
  if (code !== 0) throw new StackError(`The patches of QuestDB could not be compiled with ${java}:\n${output}`);
  await rm(at(workDirectory), { recursive: true });
}

async function sha256Of(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
