#!/usr/bin/env node
/**
 * Writes the types of rows into the TypeScript client. With --check it changes nothing and exits with 1 when they differ.
 * Part of `npm run generate` and `npm run check:generated`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { rowTypesText } from "./rowTypesText.ts";

const path = "packages/client-js/src/rows.ts";
const file = new URL(`../../${path}`, import.meta.url);

const text = rowTypesText();
if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error(`${path} is not what the catalogue says. Run npm run generate and commit it`);
  process.exitCode = 1;
}
