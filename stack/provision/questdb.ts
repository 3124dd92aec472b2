import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes } from "../../src/startFailure.ts";
import { StackError } from "../error.ts";
import { findProgram } from "../programs.ts";
import { runTool } from "../tool.ts";
import { type Install, installedAt, installOnce, type Provisioning } from "./install.ts";

const version = "9.3.4";
const jarName = `questdb-${version}.jar`;
const jarSha256 = "939bc53ab22f93dbaa6545143a6e7c536d4904c07b7f2d381e8eef10436be062";
const otherWays = `or download ${jarName} and set QUESTDB_JAR to its path, or set QUESTDB_HTTP and QUESTDB_PG to a running QuestDB`;

/**
 * The QuestDB jar: QUESTDB_JAR, the cache, or Maven. Rejects with a StackError if none
 * of them has it.
 */
export function planQuestdb(provisioning: Provisioning): Install {
  const { config, signal } = provisioning;
  const { questdbJar, path, environment } = config.stack;
  if (questdbJar) {
    if (!existsSync(questdbJar)) throw new StackError(`QUESTDB_JAR names ${questdbJar}, which does not exist.`);
    return async () => questdbJar;
  }
  const name = `questdb-${version}`;
  const maven = findProgram("mvn", path);
  if (!maven && !existsSync(installedAt(config, name)))
    throw new StackError(`QuestDB comes with Maven, and mvn is not on PATH. Install Maven, ${otherWays}.`);

  return async () => {
    const directory = await installOnce(
      provisioning,
      name,
      `Getting QuestDB ${version} with Maven`,
      async (part, note) => {
        const { code, output } = await runTool(
          maven ?? "mvn",
          [
            "--batch-mode",
            "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy",
            `-Dartifact=org.questdb:questdb:${version}`,
            `-DoutputDirectory=${part}`,
          ],
          { env: environment, cwd: part, signal, onLine: note },
        );
        if (code !== 0)
          throw new StackError(
            `Maven could not get QuestDB:\n${output}\nCheck Maven's network settings, ${otherWays}.`,
            exitCodes.failed,
          );
        const sha256 = createHash("sha256")
          .update(await readFile(join(part, jarName)))
          .digest("hex");
        if (sha256 !== jarSha256)
          throw new StackError(
            `Maven got a ${jarName} that is not the published one (SHA-256 ${sha256}). Check your mirror, ${otherWays}.`,
          );
      },
    );
    return join(directory, jarName);
  };
}
