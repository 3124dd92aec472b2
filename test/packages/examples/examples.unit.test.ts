import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../../../examples/", import.meta.url);
const languages = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test("each language's examples are run by a test of its own", () => {
  const tests = readdirSync(import.meta.dirname);
  expect(languages.filter((language) => !tests.includes(`${language}.long.test.ts`))).toEqual([]);
});

test.each(languages)("the list of examples and a test name each file of %s", (language) => {
  const list = readFileSync(new URL("README.md", folder), "utf8");
  const code = readFileSync(new URL(`${language}.long.test.ts`, `file://${import.meta.dirname}/`), "utf8");
  const files = readdirSync(new URL(language, folder));
  expect(files.filter((file) => !list.includes(`](${language}/${file})`) || !code.includes(file))).toEqual([]);
});
