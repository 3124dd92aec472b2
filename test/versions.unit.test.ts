import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const { version } = JSON.parse(read("package.json")) as { readonly version: string };

test.for([
  ["package-lock.json", /"version": "([^"]+)"/],
  ["packages/client-js/package.json", /"version": "([^"]+)"/],
  ["web/tracker/package.json", /"version": "([^"]+)"/],
  ["packages/python/pyproject.toml", /^version = "([^"]+)"/m],
  ["packages/java/README.md", /<artifactId>lookout-client<\/artifactId>\s*<version>([^<]+)<\/version>/],
] as const)("%s has the version of the product", ([path, pattern]) => {
  expect(pattern.exec(read(path))?.[1]).toBe(version);
});

test("the changelog begins with what is unreleased, then the version of the product", () => {
  const headings = [...read("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings.slice(0, 2)).toEqual(["Unreleased", version]);
});
