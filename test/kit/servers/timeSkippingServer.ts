import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { StackError } from "../../../stack/error.ts";
import { findProgram } from "../../../stack/programs.ts";
import { installOnce } from "../../../stack/provision/install.ts";
import { findJava } from "../../../stack/provision/java.ts";
import { runTool } from "../../../stack/tool.ts";

const version = "1.38.0";

/** Maven's way to install a library with its dependencies. */
const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>lookout</groupId><artifactId>time-skipping-server</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${version}</version></dependency>
  </dependencies>
</project>
`;

/** The path of a Temporal whose clock jumps to the next timer; from the cache, or with Maven. */
export async function getTimeSkippingServer(): Promise<string> {
  const config = readConfig();
  const signal = new AbortController().signal;
  const log = (line: string) => console.log(`[lookout] ${line}`);
  const java = await findJava(config, signal);
  const fill = async (directory: string, onLine: (line: string) => void) => {
    await writeFile(join(directory, "pom.xml"), project);
    const { code, output } = await runTool(
      findProgram("mvn", config.stack.path) ?? "mvn",
      [
        "--batch-mode",
        "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies",
        `-DoutputDirectory=${join(directory, "lib")}`,
      ],
      { env: config.stack.environment, cwd: directory, signal, onLine },
    );
    if (code !== 0) throw new StackError(`Maven could not get Temporal's test server:\n${output}`);
    const start = `exec "${java}" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"`;
    await writeFile(join(directory, "start"), `#!/bin/sh\n${start}\n`);
    await chmod(join(directory, "start"), 0o755);
  };
  const name = `temporal-test-server-${version}`;
  return join(
    await installOnce({ config, log, signal }, name, "Getting Temporal's test server with Maven", fill),
    "start",
  );
}
