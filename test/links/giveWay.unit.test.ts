import { expect, test } from "vitest";
import { giveWay } from "../../src/links/giveWay.ts";

test("part 8: the storing of clicks gives way to redirects only while those keep the process busy, and never for long", () => {
  expect(giveWay(0.9, 1_000)).toBe(true);
  expect(giveWay(0.5, 1_000)).toBe(false);
  expect(giveWay(0.9, 15_000)).toBe(false);
});
