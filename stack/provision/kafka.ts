import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes } from "../../src/errors/startFailure.ts";
import { StackError } from "../error.ts";
import { findProgram } from "../programs.ts";
import { runTool } from "../tool.ts";
import { type Install, installedAt, installOnce, type Provisioning } from "./install.ts";

const version = "4.4.0";
/** SHA-256 of the names and contents of all jars, sorted by name. */
const jarsSha256 = "e1c1eae4b2720cb611617834982b9f1505d129c1ab6a1399d2c7d3cf82e57456";
const otherWays = "or set KAFKA_BROKERS to running brokers";

/** All dependencies have exact versions. */
const project = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>lookout</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;

/** The directory with the jars of a Kafka broker, from the cache or from Maven. Throws a StackError if neither has it. */
export function planKafka(provisioning: Provisioning): Install {
  const { config, signal } = provisioning;
  const { path, environment } = config.stack;
  const name = `kafka-${version}`;
  const maven = findProgram("mvn", path);
  if (!maven && !existsSync(installedAt(config, name)))
    throw new StackError(`Kafka comes with Maven, and mvn is not on PATH. Install Maven, ${otherWays}.`);
  return () =>
    installOnce(provisioning, name, `Getting Kafka ${version} with Maven`, async (part, note) => {
      const projectFile = join(part, "pom.xml");
      await writeFile(projectFile, project);
      const { code, output } = await runTool(
        maven ?? "mvn",
        [
          "--batch-mode",
          "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies",
          "-f",
          projectFile,
          `-DoutputDirectory=${part}`,
        ],
        { env: environment, cwd: part, signal, onLine: note },
      );
      if (code !== 0)
        throw new StackError(
          `Maven could not get Kafka:\n${output}\nCheck Maven's network settings, ${otherWays}.`,
          exitCodes.failed,
        );
      const sha256 = await digestOf(part);
      if (sha256 !== jarsSha256)
        throw new StackError(
          `Maven got jars of Kafka that are not the published ones (SHA-256 ${sha256}). Check your mirror, ${otherWays}.`,
        );
    });
}

async function digestOf(directory: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(directory)).filter((each) => each.endsWith(".jar")).sort())
    hash.update(`${name}\n`).update(await readFile(join(directory, name)));
  return hash.digest("hex");
}
