import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const pages = join(import.meta.dirname, "../../web/app/src/pages");
const files = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));

/** Fields that several pages have. */
const ui = join(pages, "../ui");
const shared = readdirSync(ui).filter((name) => name.endsWith("Field.tsx"));
const sharedFields = shared.map((name) => readFileSync(join(ui, name), "utf8")).join("\n");

const folders = new Map(
  files.map((name) => [dirname(name), files.filter((other) => dirname(other) === dirname(name))]),
);

/** A value that is read from a form by the name of its field. */
const reading = /\b(?:value|text|all)\("(\w+)"\)/g;

// A value of no field is an empty text, so that saving a form would clear what it belongs to.
test.for([...folders])("each value that a form of pages/%s reads is that of one of its fields", ([, names]) => {
  const source = names.map((name) => readFileSync(join(pages, name), "utf8")).join("\n");
  const read = new Set([...source.matchAll(reading)].map(([, name]) => name));
  const rest = source.replaceAll(reading, "") + sharedFields;
  expect([...read].filter((name) => !rest.includes(`"${name}"`))).toEqual([]);
});
