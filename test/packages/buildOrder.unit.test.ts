import { expect, test } from "vitest";
import { buildOrder, packageNames } from "../../packages/buildOrder.ts";

test.each(["go", "java", "python"])("%s is built with the contract that it is generated from", (name) => {
  expect(buildOrder([name])).toEqual(["contract", name]);
});

test("a package that needs no other is built alone, and none named means all", () => {
  expect(buildOrder(["client-js"])).toEqual(["client-js"]);
  expect(buildOrder(["python", "contract"])).toEqual(["contract", "python"]);
  expect(buildOrder([])).toEqual(packageNames);
});

test("an unknown name is refused with those that there are", () => {
  expect(() => buildOrder(["pyhton"])).toThrow("There is no package pyhton. There are: contract, client-js");
});
