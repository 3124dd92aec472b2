import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RouteTable } from "../../src/gateway/routeTable.ts";
import { services } from "../../src/gen/lookout/services.ts";

/** Served next to the API's own paths. */
const otherPaths = [
  "docs",
  "openapi.json",
  "healthz",
  "readyz",
  "metrics",
  "mcp",
  "tracker.js",
  "tracker-vitals.js",
  "assets",
];

/** Loaded at run time: the app is a project of its own for the compiler. */
const file: string = fileURLToPath(new URL("../../web/app/src/pages/pages.ts", import.meta.url));
const { pages }: { pages: object } = await import(file);
const names = Object.keys(pages);

test("no page of the web app hides a path of the API, nor the other way round", () => {
  const routes = new RouteTable(services);
  expect(names).toContain("sign-in");
  expect(names.filter((name) => otherPaths.includes(name))).toEqual([]);
  expect(names.filter((name) => name !== "" && routes.find(`/${name}`) !== undefined)).toEqual([]);
  expect(names.filter((name) => name !== "" && routes.find(`/${name}/x`) !== undefined)).toEqual([]);
});
