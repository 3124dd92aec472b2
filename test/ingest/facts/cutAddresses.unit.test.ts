import { expect, test } from "vitest";
import { cutAddresses } from "../../../src/ingest/facts/cutAddresses.ts";

test.each([
  ["at f (https://a.example/x.js?v=1:10:5)", "at f (https://a.example/x.js:10:5)"],
  ["f@https://a.example/x.js?v=1#h:10:5", "f@https://a.example/x.js:10:5"],
  ["GET https://user:word@a.example/b?c=d failed", "GET https://a.example/b failed"],
  ['Failed to load "/api/user?email=a@b"', 'Failed to load "/api/user"'],
  ["x is not a function. Really? Yes #1", "x is not a function. Really? Yes #1"],
  ["a?b", "a?b"],
  ["", undefined],
  [undefined, undefined],
])("4: %s loses the personal parts of its URLs", (text, cut) => {
  expect(cutAddresses(text, 1_000)).toBe(cut);
});

test("4: a text is cut to its length, after URLs in it that are longer are cut", () => {
  expect(cutAddresses(`/a?${"q".repeat(50)} rest`, 20)).toBe("/a rest");
  expect(cutAddresses("a".repeat(100), 20)).toBe("a".repeat(20));
});
