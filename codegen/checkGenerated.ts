#!/usr/bin/env node
/**
 * Checks whether generated code is up to date: generates everything into a temporary folder and compares. Exits with 1 and
 * lists the files that differ. Does not change the tree. Run as `npm run check:generated`, which finds buf and its
 * plugins.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildContract } from "../packages/contract/buildContract.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const templates = ["buf.gen.yaml", "buf.gen.gateway.yaml", "packages/client-js/buf.gen.yaml"];
const folders = ["src/gen", "packages/client-js/src/gen"];

const fresh = mkdtempSync(join(tmpdir(), "lookout-generated-"));
try {
  await buildContract(join(root, "dist/contract"));
  for (const template of templates) {
    execFileSync("buf", ["generate", "--template", template, "--output", fresh], {
      cwd: root,
      stdio: "inherit",
    });
  }
  const wanted = filesIn(fresh);
  const present = filesIn(root);
  const differing = [...new Set([...wanted.keys(), ...present.keys()])]
    .filter((file) => wanted.get(file) !== present.get(file))
    .sort();
  if (differing.length > 0) {
    console.error(
      `These files are not what the protos say. Run npm run generate and commit them:\n${differing.map((file) => `  ${file}`).join("\n")}`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

/** Text of every generated file, by its path from a root. */
function filesIn(root: string): ReadonlyMap<string, string> {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(root, folder, path)),
  );
  return new Map(
    paths.filter((path) => statSync(path).isFile()).map((path) => [relative(root, path), readFileSync(path, "utf8")]),
  );
}
