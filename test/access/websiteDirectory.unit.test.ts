import type { Pool } from "pg";
import { beforeEach, expect, test } from "vitest";
import { WebsiteDirectory } from "../../src/access/websiteDirectory.ts";

let stored: Map<string, string>;
let reads: string[];
let isDown: boolean;
let directory: WebsiteDirectory;

beforeEach(() => {
  stored = new Map([["site", "Shop"]]);
  reads = [];
  isDown = false;
  directory = keepingFor(60_000);
});

function keepingFor(cacheMs: number): WebsiteDirectory {
  const query = async (_sql: string, [id = ""]: readonly string[]) => {
    reads.push(id);
    if (isDown) throw Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
    const name = stored.get(id);
    return { rows: name === undefined ? [] : [{ id, clientId: `client of ${id}`, name }] };
  };
  // The directory uses nothing else of the pool.
  return new WebsiteDirectory({ query } as unknown as Pool, { cacheMs, maxCached: 100 }, { hits: 0, misses: 0 }, 1_000);
}

test("8: lookups of unknown websites evict no known website from the cache, even while it is being refreshed", async () => {
  await directory.find("site");
  const guesses = Array.from({ length: 30_000 }, (_, at) => directory.find(`guess ${at}`));
  expect(await directory.find("site")).toMatchObject({ name: "Shop" });
  expect(await Promise.all(guesses)).toEqual(Array(30_000).fill(undefined));
  expect(await directory.find("site")).toMatchObject({ name: "Shop" });
  expect(reads.filter((id) => id === "site")).toHaveLength(1);
  // The latest unknown ids are cached too, the first ones are evicted.
  await directory.find("guess 29999");
  await directory.find("guess 0");
  expect(reads.length).toBe(30_002);
});

test("8: a change is seen once it is announced, whether or not the website existed before", async () => {
  expect(await directory.find("new")).toBeUndefined();
  stored.set("new", "New");
  stored.set("site", "Renamed");
  expect(await directory.find("new")).toBeUndefined();
  directory.forget({ id: "new", clientId: "client of new" });
  expect(await directory.find("new")).toMatchObject({ name: "New" });
  await directory.find("site");
  stored.delete("site");
  directory.forget({ id: "site", clientId: "client of site" });
  expect(await directory.find("site")).toBeUndefined();
});

test("8: while PostgreSQL is unavailable a cached website is used, and one that is not cached fails", async () => {
  directory = keepingFor(0);
  await directory.find("site");
  isDown = true;
  for (let at = 0; at < 3; at += 1) expect(await directory.find("site")).toMatchObject({ name: "Shop" });
  await expect(directory.find("other")).rejects.toThrow("connection refused");
  isDown = false;
  stored.set("site", "Renamed");
  expect(await directory.find("site")).toMatchObject({ name: "Renamed" });
});
