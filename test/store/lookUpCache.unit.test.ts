import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LookUpCache, type LookUps } from "../../src/store/lookUpCache.ts";

type Item = { readonly name: string };

let stored: Map<string, Item>;
let reads: string[];
let isDown: boolean;
let hung: PromiseWithResolvers<void> | undefined;
let counts: { hits: number; misses: number };

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ["Date"] });
  stored = new Map(["a", "b", "c", "d"].map((name) => [name, { name }]));
  reads = [];
  isDown = false;
  hung = undefined;
  counts = { hits: 0, misses: 0 };
});
afterEach(() => void vi.useRealTimers());

function cacheOf(more: Partial<Pick<LookUps<Item>, "stale" | "renewAfterMs">> = {}): LookUpCache<Item> {
  const read = async (key: string) => {
    reads.push(key);
    if (hung !== undefined) await hung.promise;
    if (isDown) throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
    return stored.get(key);
  };
  return new LookUpCache({ read, ttlMs: 1_000, maxFound: 3, maxMissing: 2, counts, ...more });
}

test("the least recently used entry is evicted first; unknown keys evict no known ones", async () => {
  const cache = cacheOf();
  for (const key of ["a", "b", "c"]) await cache.find(key);
  cache.cached("a");
  for (const key of ["x", "y", "z"]) expect(await cache.find(key)).toBeUndefined();
  await cache.find("d");
  expect(["a", "b", "c", "d", "x", "y", "z"].filter((key) => cache.cached(key) !== undefined)).toEqual([
    ..."acd",
    ..."yz",
  ]);
});

test("answers from the cache and callers that wait for the store are counted", async () => {
  const cache = cacheOf();
  expect(cache.cached("a")).toBeUndefined();
  await Promise.all([cache.find("a"), cache.find("a"), cache.find("x")]);
  await cache.find("a");
  cache.cached("x");
  expect(counts).toEqual({ hits: 2, misses: 3 });
});

test("concurrent lookups share one read; a failed one is not cached", async () => {
  const cache = cacheOf();
  isDown = true;
  await expect(Promise.all([cache.find("a"), cache.find("a")])).rejects.toThrow("down");
  isDown = false;
  expect(await cache.find("a")).toEqual({ name: "a" });
  expect(reads).toEqual(["a", "a"]);
});

test("a key that is created or deleted changes over once its entry expires", async () => {
  const cache = cacheOf();
  await cache.find("x");
  await cache.find("a");
  stored.set("x", { name: "x" });
  stored.delete("a");
  expect([await cache.find("x"), await cache.find("a")]).toEqual([undefined, { name: "a" }]);
  vi.advanceTimersByTime(1_000);
  expect([cache.cached("x"), cache.cached("a")]).toEqual([undefined, undefined]);
  expect([await cache.find("x"), await cache.find("a")]).toEqual([{ name: "x" }, undefined]);
});

test("while the store is unavailable an expired entry is used, and the store is retried once per ttlMs", async () => {
  const cache = cacheOf({ stale: { maxAgeMs: 5_000, afterMs: 10_000 } });
  await cache.find("a");
  isDown = true;
  vi.advanceTimersByTime(1_000);
  for (let at = 0; at < 3; at += 1) expect(await cache.find("a")).toEqual({ name: "a" });
  expect(reads).toHaveLength(2);
  await expect(cache.find("b")).rejects.toThrow("down");
  vi.advanceTimersByTime(4_001);
  await expect(cache.find("a")).rejects.toThrow("down");
});

test("a used entry is refreshed before it expires, without a wait", async () => {
  const cache = cacheOf({ renewAfterMs: 500 });
  await cache.find("a");
  vi.advanceTimersByTime(500);
  stored.set("a", { name: "renewed" });
  expect(cache.cached("a")?.value).toEqual({ name: "a" });
  expect(cache.cached("a")?.value).toEqual({ name: "a" });
  expect(reads).toHaveLength(2);
  await expect.poll(() => cache.cached("a")?.value).toEqual({ name: "renewed" });
});

test("8: while the store hangs an answer that is known is taken after a limit, by later callers at once, and the new one when it comes", async () => {
  const cache = cacheOf({ stale: { maxAgeMs: 600_000, afterMs: 20 } });
  expect(await cache.find("a")).toEqual({ name: "a" });
  hung = Promise.withResolvers();
  stored.set("a", { name: "new" });
  for (let turn = 0; turn < 3; turn += 1) {
    vi.setSystemTime(Date.now() + 1_001);
    expect(await cache.find("a")).toEqual({ name: "a" });
  }
  expect(reads).toEqual(["a", "a"]);
  // One that is not known has nothing to stand in for it.
  const unknown = cache.find("b");
  expect(await Promise.race([unknown, new Promise((resolve) => setTimeout(resolve, 100, "waits"))])).toBe("waits");
  hung.resolve();
  expect(await unknown).toEqual({ name: "b" });
  await vi.waitFor(async () => expect(await cache.find("a")).toEqual({ name: "new" }));
});
