import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../../../examples/", import.meta.url);
const languages = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Here, or where the package of the language is tested: its compiler is slow, and so runs once. */
const testOf = (language: string): string | undefined =>
  [`./${language}.long.test.ts`, `../${language}.long.test.ts`].find((path) =>
    existsSync(new URL(path, import.meta.url)),
  );

test("each language's examples are run by a test", () => {
  expect(languages.filter((language) => testOf(language) === undefined)).toEqual([]);
});

test.each(languages)("the list of examples and a test name each file of %s", (language) => {
  const list = readFileSync(new URL("README.md", folder), "utf8");
  const code = readFileSync(new URL(testOf(language) ?? "", import.meta.url), "utf8");
  const files = readdirSync(new URL(language, folder));
  expect(files.filter((file) => !list.includes(`](${language}/${file})`) || !code.includes(file))).toEqual([]);
});
