import { chmod, copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { arch, homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildContract } from "../../packages/contract/buildContract.ts";
import { createOutsideProject, hasProgram, type OutsideProject } from "./outsideProject.ts";

const buf = join(import.meta.dirname, "../../node_modules/.bin/buf");
const has = { java: hasProgram("mvn"), csharp: hasProgram("mvn"), typescript: true } as const;

/** Programs of Maven Central that the templates for Java and C# name. */
const programs = [
  { name: "protoc", group: "com.google.protobuf", version: "4.31.1" },
  { name: "protoc-gen-grpc-java", group: "io.grpc", version: "1.75.0" },
] as const;

let project: OutsideProject;

/** The contract as an archive, which buf takes as it is. The packages for Go and Python are generated with their own templates. */
beforeAll(async () => {
  project = await createOutsideProject("templates");
  await buildContract(join(project.folder, "contract"));
  await project.run("tar", ["-czf", "contract.tar.gz", "-C", "contract", "."]);
  await writeFile(join(project.folder, "package.json"), "{}");
  const plugin = "@bufbuild/protoc-gen-es@2.17.0";
  await project.run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", plugin]);
  await mkdir(join(project.folder, "bin"));
  if (has.java) for (const program of programs) await getProgram(program);
});

afterAll(() => project.remove());

async function getProgram({ name, group, version }: (typeof programs)[number]): Promise<void> {
  const system = `linux-${arch() === "arm64" ? "aarch_64" : "x86_64"}`;
  const artifact = `${group}:${name}:${version}:exe:${system}`;
  const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get";
  const file = join(
    homedir(),
    ".m2/repository",
    group.replaceAll(".", "/"),
    name,
    version,
    `${name}-${version}-${system}.exe`,
  );
  const target = join(project.folder, "bin", name);
  try {
    await copyFile(file, target);
  } catch {
    await project.run("mvn", ["-q", "-B", plugin, `-Dartifact=${artifact}`, "-Dtransitive=false"]);
    await copyFile(file, target);
  }
  await chmod(target, 0o755);
}

describe.each([
  { language: "typescript", ending: "_pb.ts", files: 18 },
  { language: "java", ending: "Grpc.java", files: 18 },
  { language: "csharp", ending: ".cs", files: 18 },
] as const)("buf generate in an empty folder", ({ language, ending, files }) => {
  test.skipIf(!has[language])(`${language} (java and csharp are skipped without mvn)`, async () => {
    const folder = join(project.folder, language);
    await mkdir(folder);
    const template = `../contract/templates/${language}.yaml`;
    const path = [join(project.folder, "bin"), process.env["PATH"]].join(":");
    const generate = ["-C", folder, buf, "generate", "../contract.tar.gz", "--template", template];
    await project.run("env", generate, { PATH: path });
    const generated = await readdir(join(folder, "gen"), { recursive: true });
    expect(generated.filter((name) => name.endsWith(ending)).length).toBeGreaterThanOrEqual(files);
  });
});
