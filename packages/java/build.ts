import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { DescFile } from "@bufbuild/protobuf";
import { callsByPath } from "../../codegen/client/callsByPath.ts";
import { serviceWords } from "../../codegen/client/clientServices.ts";
import { contractFiles } from "../../codegen/client/contractFiles.ts";
import { javaNativeMembers, withNativeMembers } from "../../codegen/client/javaNativeText.ts";
import { javaRowsFiles } from "../../codegen/client/javaRowsText.ts";
import { javaServiceFiles } from "../../codegen/client/javaServicesText.ts";
import { javaValueFiles } from "../../codegen/client/javaValuesText.ts";
import { capitalised } from "../../codegen/client/rowTypes.ts";
import { testContractText } from "../../codegen/client/testContractText.ts";
import { valueSets } from "../../codegen/client/valueSets.ts";
import { webhookExamplesText } from "../../codegen/client/webhookEvents.ts";
import { cacheFolder } from "../cacheFolder.ts";
import { zipFolder } from "../zipFolder.ts";
import { javaTools } from "./javaTools.ts";
import { artifactId, groupId, pom } from "./pom.ts";

const source = import.meta.dirname;
const root = join(source, "../..");
const buf = join(root, "node_modules/.bin/buf");
const run = promisify(execFile);

/**
 * Generates the Java client from the contract in dist/contract and the catalogue, compiles it, and writes jar, sources and pom
 * into dist/java, which is laid out as a Maven repository. Resolves with the name of the jar.
 */
export async function buildJava(dist: string, version: string): Promise<string> {
  const { protoc, jars } = await javaTools();
  const folder = join(dist, "java-package");
  const sources = join(folder, "sources");
  await rm(folder, { recursive: true, force: true });
  await cp(join(source, "src"), sources, { recursive: true });
  const contract = join(dist, "contract");
  const plugins = [{ protoc_builtin: "java", protoc_path: protoc, out: sources }];
  await run(buf, ["generate", contract, "--template", JSON.stringify({ version: "v2", plugins })]);
  const described = await contractFiles(contract);
  for (const [message, members] of javaNativeMembers(described)) {
    const path = join(sources, "dev/lookout/v1", `${message.name}.java`);
    await writeFile(path, withNativeMembers(await readFile(path, "utf8"), message, members));
  }
  const files = {
    ...javaRowsFiles(),
    ...javaValueFiles(valueSets()),
    ...javaServiceFiles(described),
    "dev/lookout/CallsByPath.java": callsByPathText(described),
    "dev/lookout/Version.java": versionText(version),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(sources, path)), { recursive: true });
    await writeFile(join(sources, path), text);
  }
  await writeFile(join(sources, "dev/lookout/webhook-samples.json"), webhookExamplesText());
  const nameOfCall = (words: readonly string[], call: string) => `${camelCase(words)}.${call}`;
  await writeFile(join(sources, "dev/lookout/testing/contract.json"), testContractText(described, nameOfCall));
  const repository = join("java", groupId.replaceAll(".", "/"), artifactId, version);
  const place = join(dist, repository);
  await rm(join(dist, "java"), { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  const jar = `${artifactId}-${version}.jar`;
  const sourcesJar = `${artifactId}-${version}-sources.jar`;
  const description = `${artifactId}-${version}.pom`;
  await cp(join(root, "LICENSE"), join(sources, "META-INF/LICENSE"), { recursive: true });
  await compile(sources, jars, join(place, jar));
  await zipFolder(sources, "", join(place, sourcesJar));
  await writeFile(join(place, description), pom(version));
  for (const name of [jar, sourcesJar, description]) {
    const sha1 = createHash("sha1").update(await readFile(join(place, name)));
    await writeFile(join(place, `${name}.sha1`), sha1.digest("hex"));
  }
  return join(repository, jar);
}

function versionText(version: string): string {
  return `package dev.lookout;

/** The client's version, which it names to the service. */
final class Version {
  static final String TEXT = ${JSON.stringify(version)};

  private Version() {}
}
`;
}

/** The names of calls in texts of the service: `POST /links/list` is `links().listLinks`. */
function callsByPathText(files: readonly DescFile[]): string {
  const calls = callsByPath(files, ({ parent, localName }) => `${camelCase(serviceWords(parent))}().${localName}`);
  const entries = calls.map((call) => `          Map.entry(${call.map((text) => JSON.stringify(text)).join(", ")})`);
  return `// Code generated from the contract. Do not edit.
package dev.lookout;

import java.util.Map;

/** The calls of the client by what texts of the service name them. */
final class CallsByPath {
  static final Map<String, String> NAMES =
      Map.ofEntries(
${entries.join(",\n")});

  private CallsByPath() {}
}
`;
}

function camelCase([first = "", ...others]: readonly string[]): string {
  return [first, ...others.map(capitalised)].join("");
}

/** What the jar has beside classes. */
const resources = ["dev/lookout/webhook-samples.json", "dev/lookout/testing/contract.json"];

/** The module's name, which would otherwise be made of the file's. */
const manifest = "Manifest-Version: 1.0\nAutomatic-Module-Name: dev.lookout.client\n\n";

/** Java's optimizing compiler takes longer than it saves in a program of some seconds. */
const javac = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "17", "-proc:none", "-nowarn"];

/** Compiles the sources into a jar. That takes half a minute of processor time, so the last jar is kept for sources that are the same. */
async function compile(sources: string, jars: readonly string[], jar: string): Promise<void> {
  const files = (await readdir(sources, { recursive: true })).filter((path) => path.endsWith(".java")).toSorted();
  const hash = createHash("sha256").update(jars.join()).update(manifest);
  for (const path of [...files, ...resources]) hash.update(path).update(await readFile(join(sources, path)));
  const kept = join(cacheFolder(), `java-client-${hash.digest("hex").slice(0, 12)}.jar`);
  if (existsSync(kept)) return await copyFile(kept, jar);

  const classes = join(sources, "../classes");
  const list = join(sources, "../files");
  await writeFile(list, files.map((path) => `"${join(sources, path)}"\n`).join(""));
  await run("javac", [...javac, "-encoding", "UTF-8", "-cp", jars.join(delimiter), "-d", classes, `@${list}`]);
  await cp(join(root, "LICENSE"), join(classes, "META-INF/LICENSE"), { recursive: true });
  await writeFile(join(classes, "META-INF/MANIFEST.MF"), manifest);
  for (const path of resources) await copyFile(join(sources, path), join(classes, path));
  await zipFolder(classes, "", jar);
  for (const name of await readdir(cacheFolder()))
    if (name.startsWith("java-client-")) await rm(join(cacheFolder(), name), { force: true });
  await copyFile(jar, `${kept}.${process.pid}`);
  await rename(`${kept}.${process.pid}`, kept);
}
