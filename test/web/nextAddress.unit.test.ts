import { expect, test } from "vitest";
import { nextAddress } from "../../web/app/src/router/nextAddress.ts";

const page = "https://stats.example/";

test.each([
  ["dashboard/1?range=today#top", "/dashboard/1?range=today#top"],
  ["/links", "/links"],
  ["https://stats.example/links", "/links"],
  ["", "/"],
])("8: after the sign-in %j leads to a place of the app", (next, expected) => {
  expect(nextAddress(next, page, "/")).toBe(expected);
});

test.each([
  "https://stats.example//evil.example/x",
  "https://stats.example/\\evil.example/x",
  "/.//evil.example",
  "//evil.example/x",
  "\\\\evil.example/x",
  "https://evil.example/",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://",
])("8: after the sign-in %j leads to the first page", (next) => {
  expect(nextAddress(next, page, "/")).toBe("/");
});

test("8: below a path of a proxy, other paths of the host are no places of the app", () => {
  expect(nextAddress("/app/links", "https://stats.example/app/", "/app/")).toBe("/app/links");
  expect(nextAddress("/other", "https://stats.example/app/", "/app/")).toBe("/app/");
});
