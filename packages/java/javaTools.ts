import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { arch } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../cacheFolder.ts";
import { type Dependency, dependencies, pom, protobufVersion } from "./pom.ts";

export type JavaTools = {
  readonly protoc: string;
  /** The jars that the generated code is compiled with. */
  readonly jars: readonly string[];
};

/** A program of Maven Central, which is a dependency like any other. */
const protocProgram: Dependency = {
  groupId: "com.google.protobuf",
  artifactId: "protoc",
  version: protobufVersion,
  type: "exe",
  classifier: `linux-${arch() === "arm64" ? "aarch_64" : "x86_64"}`,
};

/** What generates and compiles Java, got with Maven once. */
export async function javaTools(): Promise<JavaTools> {
  const wanted = pom("0", [...dependencies, protocProgram]);
  const folder = join(cacheFolder(), `java-${createHash("sha256").update(wanted).digest("hex").slice(0, 12)}`);
  if (!existsSync(folder)) {
    const part = `${folder}.${process.pid}`;
    await mkdir(part, { recursive: true });
    await writeFile(join(part, "pom.xml"), wanted);
    const copy = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";
    await promisify(execFile)("mvn", ["-q", "-B", copy, "-DoutputDirectory=."], { cwd: part });
    const program = (await readdir(part)).find((name) => name.startsWith("protoc-"));
    if (program === undefined) throw new Error("Maven did not get protoc");
    await rename(join(part, program), join(part, "protoc"));
    await chmod(join(part, "protoc"), 0o755);
    // Fails if another build has finished the folder meanwhile; its content is the same.
    await rename(part, folder).catch(() => rm(part, { recursive: true, force: true }));
  }
  const jars = (await readdir(folder)).filter((name) => name.endsWith(".jar")).toSorted();
  return { protoc: join(folder, "protoc"), jars: jars.map((name) => join(folder, name)) };
}
