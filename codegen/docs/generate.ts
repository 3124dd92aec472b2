#!/usr/bin/env node
/**
 * Writes the generated tables into the docs: the text between `<!-- generated: <name> -->` and `<!-- end -->`. With
 * --check it changes nothing, lists the tables that differ, and exits with 1 if there are any. Part of
 * `npm run generate` and `npm run check:generated`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { docTables } from "./docTables.ts";

const isCheck = process.argv.includes("--check");

for (const [name, { page, text }] of Object.entries(docTables)) {
  const file = new URL(`../../${page}`, import.meta.url);
  const present = readFileSync(file, "utf8");
  const wanted = withTable(present, page, name, await text());
  if (wanted === present) continue;
  if (isCheck) {
    console.error(`The table "${name}" in ${page} is not what the code says. Run npm run generate and commit it`);
    process.exitCode = 1;
  } else writeFileSync(file, wanted);
}

function withTable(page: string, path: string, name: string, table: string): string {
  const begin = `<!-- generated: ${name} -->\n`;
  const from = page.indexOf(begin);
  const to = page.indexOf("<!-- end -->", from);
  if (from < 0 || to < 0) throw new Error(`${path} has no place for the table "${name}"`);
  return `${page.slice(0, from)}${begin}\n${table}\n\n${page.slice(to)}`;
}
