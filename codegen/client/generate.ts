#!/usr/bin/env node
/**
 * Writes the types of rows and the sets of values into the TypeScript client. With --check it changes nothing and exits with 1 when
 * they differ. Part of `npm run generate` and `npm run check:generated`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { rowTypesText } from "./rowTypesText.ts";
import { valueSets } from "./valueSets.ts";
import { valueSetsText } from "./valueSetsText.ts";

const texts = {
  "packages/client-js/src/rows.ts": rowTypesText(),
  "packages/client-js/src/valueSets.ts": valueSetsText(valueSets()),
};

for (const [path, text] of Object.entries(texts)) {
  const file = new URL(`../../${path}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(`${path} is not what the contract and the catalogue say. Run npm run generate and commit it`);
    process.exitCode = 1;
  }
}
