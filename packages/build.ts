#!/usr/bin/env node
/**
 * Writes what clients install into dist/. Usage: node packages/build.ts [contract | client-js | tracker | go | java | python]…; without a name it
 * builds everything. What a package is made of is built with it. Run as `npm run build:contract` or `npm run build:packages`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildOrder, type PackageName } from "./buildOrder.ts";
import { buildClientJs } from "./client-js/build.ts";
import { buildContract } from "./contract/buildContract.ts";
import { buildGo } from "./go/build.ts";
import { buildJava } from "./java/build.ts";
import { buildPython } from "./python/build.ts";
import { buildTracker } from "./tracker/build.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Each resolves with the name of what it wrote. */
const builders: Readonly<Record<PackageName, () => Promise<string>>> = {
  contract: async () => {
    const folder = join(dist, "contract");
    const archive = `lookout-contract-${version}.tar.gz`;
    await buildContract(folder);
    execFileSync("tar", ["-czf", join(dist, archive), "-C", folder, "."]);
    return archive;
  },
  "client-js": () => buildClientJs(dist, version),
  tracker: () => buildTracker(dist, version),
  go: () => buildGo(dist, version),
  java: () => buildJava(dist, version),
  python: () => buildPython(dist, version),
};

for (const name of buildOrder(process.argv.slice(2))) console.log(`${name}: dist/${await builders[name]()}`);
