#!/usr/bin/env node
/** Writes what clients install into dist/. Run as `npm run build:contract`. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildContract } from "./contract/buildContract.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const contract = join(dist, "contract");
await buildContract(contract);
execFileSync("tar", ["-czf", join(dist, `lookout-contract-${version}.tar.gz`), "-C", contract, "."]);
console.log(`dist/contract, dist/lookout-contract-${version}.tar.gz`);
