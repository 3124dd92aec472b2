import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withoutKeys } from "../../codegen/client/clientServices.ts";
import { statusOfCode } from "../../src/errors/errors.ts";
import { services } from "../../src/gen/lookout/services.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const withKeys = services.map(({ name }) => name).filter((name) => !withoutKeys.includes(name));

describe("every service that takes an API key is in each client", () => {
  test.each([
    ["packages/client-js/src/services.ts", (name: string) => `: ${name},`],
    ["packages/go/lookout.go", (name: string) => `New${name}Client(`],
    ["codegen/client/clientServices.ts", (name: string) => `  ${name}: "`],
    ["packages/java/src/dev/lookout/Lookout.java", (name: string) => `return new ${name}(calls);`],
  ])("%s", (path, use) => {
    const text = read(path);
    expect(withKeys.filter((name) => !text.includes(use(name)))).toEqual([]);
  });
});

test.each([
  ["packages/go/error.go", (code: string) => ` = "${code}"\n`],
  ["packages/java/src/dev/lookout/LookoutException.java", (code: string) => `String ${code} = "${code}";`],
])("every code of errors is a constant in %s", (path, constant) => {
  const text = read(path);
  expect(Object.keys(statusOfCode).filter((code) => !text.includes(constant(code)))).toEqual([]);
});

test("the README of the Java client names the version", () => {
  const { version } = JSON.parse(read("package.json"));
  expect(read("packages/java/README.md")).toContain(`<version>${version}</version>`);
});

test("@lookout/client depends on the versions that are tested here", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  expect({ ...dependencies, ...devDependencies }).toMatchObject(
    JSON.parse(read("packages/client-js/package.json")).dependencies,
  );
});
