import { expect, test } from "vitest";
import { nextFocus } from "../../web/app/src/pages/dashboard/filters/nextFocus.ts";
import { matchingWebsites } from "../../web/app/src/shell/matchingWebsites.ts";

test("the focus goes to the chip that is new, else to the one in the place of a removed one", () => {
  expect(nextFocus(["a"], ["a", "b"])).toBe(1);
  expect(nextFocus([], ["a"])).toBe(0);
  expect(nextFocus(["a", "b", "c"], ["a", "c"])).toBe(1);
  expect(nextFocus(["a", "b"], ["a"])).toBe(0);
  expect(nextFocus(["a"], [])).toBe(-1);
  expect(nextFocus(["a"], ["a"])).toBeUndefined();
});

test("websites are found by a part of their name or domain", () => {
  const websites = [
    { name: "Bakery", domain: "bread.example" },
    { name: "Shop", domain: "shop.example" },
  ];
  const found = (text: string) => matchingWebsites(websites, text).map(({ name }) => name);
  expect(found(" BREAD ")).toEqual(["Bakery"]);
  expect(found("sho")).toEqual(["Shop"]);
  expect(found("")).toEqual(["Bakery", "Shop"]);
  expect(found("zzz")).toEqual([]);
});
