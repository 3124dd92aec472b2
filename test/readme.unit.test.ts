import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogue } from "../src/query/catalogue/catalogue.ts";
import { customTables } from "../src/query/custom/tables.ts";

const root = new URL("../", import.meta.url);
const readme = read("README.md");

test("the README names every setting, and no other", () => {
  const settings = new Set([...read("src/config.ts").matchAll(/"([A-Z][A-Z_]+)"/g)].map((match) => match[1]));
  const table = readme.slice(readme.indexOf("## Settings"), readme.indexOf("## Where things are"));
  const named = new Set([...table.matchAll(/`([A-Z][A-Z_]+)`/g)].map((match) => match[1]));
  expect([...named].sort()).toEqual([...settings].sort());
});

test("the README gives a reason for every dependency", () => {
  const manifest: Record<string, Record<string, string>> = JSON.parse(read("package.json"));
  const names = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
  expect(names.filter((name) => !readme.includes(name.replace(/^@temporalio\/.*/, "@temporalio/*")))).toEqual([]);
});

test("every version is exact", () => {
  const manifest: Record<string, Record<string, string>> = JSON.parse(read("package.json"));
  const versions = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) =>
    Object.values(manifest[kind] ?? {}),
  );
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test("the README lists every query type, and no other", () => {
  const section = readme.slice(readme.indexOf("| group | types |"), readme.indexOf("Anyone may ask the types"));
  const listed = [...section.matchAll(/`(\w+)`/g)].map((match) => match[1]);
  expect(listed.sort()).toEqual([...catalogue.keys()].sort());
});

test("the README lists the tables and columns of structured queries", () => {
  const quote = (names: Iterable<string>, between: string) => [...names].map((name) => `\`${name}\``).join(between);
  for (const { name, aliases, meaning, columns, hasProperties } of customTables.values()) {
    const last = hasProperties ? " `properties.<key>`" : "";
    expect(readme).toContain(
      `| ${quote([name, ...aliases], ", ")} | ${meaning} | ${quote(columns.keys(), " ")}${last} |`,
    );
  }
});

function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}
