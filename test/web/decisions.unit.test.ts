import { expect, test } from "vitest";
import { nextFocus } from "../../web/app/src/pages/dashboard/filters/nextFocus.ts";
import { unchangedReason } from "../../web/app/src/pages/uptime/list/unchangedReason.ts";
import { matchingWebsites } from "../../web/app/src/shell/matchingWebsites.ts";
import { texts as german } from "../../web/app/src/texts/de.ts";
import { texts as germanSettings } from "../../web/app/src/texts/settings/de.ts";

test("why a monitor was not changed is said in the language on screen, with the request that tells more", () => {
  const texts = { ...german, uptime: { ...german.uptime, ...germanSettings.uptime } };
  const said = (code: "NOT_FOUND" | "CONFLICT" | "RATE_LIMIT_EXCEEDED", requestId?: string) =>
    unchangedReason({ code, requestId }, texts);
  expect([said("NOT_FOUND", "r1"), said("CONFLICT", "r1"), said("RATE_LIMIT_EXCEEDED")]).toEqual([
    "Ihn gibt es nicht mehr.",
    `Der Dienst hat ihn nicht geändert. ${german.errors.requestId("r1")}`,
    german.errors.rateLimit,
  ]);
});

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
