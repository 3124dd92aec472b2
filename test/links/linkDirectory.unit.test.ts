import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LinkDirectory } from "../../src/links/follow/linkDirectory.ts";

const row = {
  id: "link",
  slug: "Sale",
  targetUrl: "https://a.example/",
  targetWebsiteId: null,
  iosUrl: null,
  androidUrl: null,
  desktopUrl: null,
  utm: {},
  forwardQuery: true,
  rulesText: null,
};

type Answer = () => Promise<{ rows: object[] }>;

/** A directory whose PostgreSQL answers as the test says; `queried` are the queried slugs. */
function directoryOn(answers: { answer: Answer }) {
  const queried: string[] = [];
  const query = (_: string, [slugs]: string[][]) => {
    queried.push(...(slugs ?? []));
    return answers.answer();
  };
  // Only `query` is called, with these arguments.
  return {
    queried,
    directory: new LinkDirectory(
      { query } as never,
      { cacheMs: 1_000, maxCached: 10_000 },
      { hits: 0, misses: 0 },
      1_000,
    ),
  };
}

const found: Answer = async () => ({ rows: [row] });
const none: Answer = async () => ({ rows: [] });
const down: Answer = async () => {
  throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
};

// Event-loop ticks run as usual; only clocks and timers are frozen.
beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("8.5: a link is read once per TTL, in upper or lower case; a used one is refreshed before it expires", async () => {
  const answers = { answer: found };
  const { queried, directory } = directoryOn(answers);
  expect(directory.cached("sale")).toBeUndefined();
  const [first, second] = await Promise.all([directory.find("sale"), directory.find("SALE")]);
  expect([first?.slug, second?.slug]).toEqual(["Sale", "Sale"]);
  expect(queried).toEqual(["sale"]);
  vi.advanceTimersByTime(400);
  expect(directory.cached("sAle")?.value).toBeDefined();
  expect(queried).toHaveLength(1);
  answers.answer = none;
  vi.advanceTimersByTime(200);
  expect(directory.cached("sale")?.value).toBeDefined();
  expect(queried).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(queried).toHaveLength(2);
  expect(directory.cached("sale")).toEqual(expect.objectContaining({ value: undefined }));
});

test("8.5: unknown slugs are cached as well, and impossible slugs are not looked up", async () => {
  const { queried, directory } = directoryOn({ answer: none });
  await directory.find("gone");
  expect(directory.cached("gone")).toEqual(expect.objectContaining({ value: undefined }));
  for (const slug of ["a b", "", "ä", "x".repeat(65), "\u0000"]) expect(await directory.find(slug)).toBeUndefined();
  expect(queried).toEqual(["gone"]);
  vi.advanceTimersByTime(1_000);
  expect(directory.cached("gone")).toBeUndefined();
});

test("8.5: lookups of unknown slugs are evicted and evict no link", async () => {
  const answers = { answer: found };
  const { directory } = directoryOn(answers);
  await directory.find("sale");
  answers.answer = none;
  for (let guess = 0; guess < 10_001; guess += 1) await directory.find(`guess-${guess}`);
  expect(directory.cached("guess-0")).toBeUndefined();
  expect(directory.cached("guess-10000")).toBeDefined();
  expect(directory.cached("sale")?.value).toBeDefined();
});

test("8.5: concurrent lookups of links share a statement", async () => {
  const { queried, directory } = directoryOn({ answer: found });
  const query = vi.fn(async () => ({ rows: [row, { ...row, slug: "other" }] }));
  const many = new LinkDirectory(
    { query } as never,
    { cacheMs: 1_000, maxCached: 10_000 },
    { hits: 0, misses: 0 },
    1_000,
  );
  const all = await Promise.all(["sale", "other", "none"].map((slug) => many.find(slug)));
  expect(all.map((link) => link?.slug)).toEqual(["Sale", "other", undefined]);
  expect(query).toHaveBeenCalledTimes(1);
  await directory.find("sale");
  expect(queried).toEqual(["sale"]);
});

test("8.5: a read that was in flight when the link was changed is not cached", async () => {
  const late = Promise.withResolvers<{ rows: object[] }>();
  const answers = { answer: () => late.promise };
  const { directory } = directoryOn(answers);
  const before = directory.find("sale");
  await nextTurn();
  directory.forget("Sale");
  answers.answer = none;
  expect(await directory.find("sale")).toBeUndefined();
  late.resolve({ rows: [row] });
  await before;
  expect(directory.cached("sale")).toEqual(expect.objectContaining({ value: undefined }));
});

test("8.5: while PostgreSQL is unavailable a cached link redirects for ten minutes", async () => {
  const answers = { answer: found };
  const { directory } = directoryOn(answers);
  await directory.find("sale");
  answers.answer = down;
  vi.advanceTimersByTime(599_000);
  expect(await directory.find("sale")).toBeDefined();
  await expect(directory.find("other")).rejects.toThrow("down");
  vi.advanceTimersByTime(2_000);
  await expect(directory.find("sale")).rejects.toThrow("down");
});
