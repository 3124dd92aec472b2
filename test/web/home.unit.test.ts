import { expect, test } from "vitest";
import { LimitedQueue } from "../../web/app/src/pages/home/limitedQueue.ts";
import { nextTile } from "../../web/app/src/pages/home/nextTile.ts";
import {
  filterWebsites,
  inOrderOf,
  type Known,
  pinnedFirst,
  type Sorting,
  sortWebsites,
  tagsOf,
} from "../../web/app/src/pages/home/orderWebsites.ts";
import { type SiteFigures, siteFigures, siteQuestion } from "../../web/app/src/pages/home/siteFigures.ts";
import { type SiteState, severityOf, siteState } from "../../web/app/src/pages/home/siteState.ts";
import { footTexts, stateText } from "../../web/app/src/pages/home/tileTexts.ts";
import { totalVisitors } from "../../web/app/src/pages/home/totalVisitors.ts";
import { texts as first } from "../../web/app/src/texts/en.ts";
import { texts as settings } from "../../web/app/src/texts/settings/en.ts";

const texts = { home: settings.home, uptime: { ...first.uptime, ...settings.uptime } };

const nothing: SiteFigures = {
  visitors: null,
  before: null,
  compared: undefined,
  days: [],
  since: undefined,
  isEmpty: false,
  now: null,
  goal: undefined,
  uptimePercent: null,
};

const stateOf = (...statuses: string[]): SiteState =>
  siteState({ monitors: statuses.map((status) => ({ status })), incidents: [] } as never);

test.each([
  [[], "No monitor"],
  [["up"], "Up"],
  [["up", "up", "up"], "3 up"],
  [["up", "down", "up"], "1 of 3 down"],
  [["down"], "Down"],
  [["up", "unknown"], "1 of 2 unknown"],
  [["up", "paused"], "Up"],
  [["paused", "paused"], "2 paused"],
  [["a state of a later version"], "Unknown"],
])("monitors that are %j are said as %j", (statuses, expected) => {
  expect(stateText(stateOf(...statuses), texts)).toBe(expected);
});

test("what is not known is left out of a tile, and a website without events says so", () => {
  expect(footTexts({ ...nothing, visitors: 5 }, texts)).toEqual(["no goal"]);
  const known = { ...nothing, now: 0, goal: { name: "signup", rate: 5.66 }, uptimePercent: 99.96 };
  expect(footTexts(known, texts)).toEqual(["0 now", "signup 5.7%", "99.96% up"]);
  expect(footTexts({ ...known, goal: { name: "signup", rate: null } }, texts)).toContain("signup –");
  expect(footTexts({ ...nothing, isEmpty: true }, texts)).toEqual(["No event yet"]);
});

const websites = ["Bakery", "Atelier", "Cinema", "Dentist"].map((name) => ({
  id: name[0] ?? "",
  name,
  domain: `${name.toLowerCase()}.example`,
}));

test.each<[Sorting, string]>([
  ["visitors", "CBAD"],
  ["change", "BCAD"],
  ["name", "ABCD"],
  ["state", "CABD"],
])("by %s the websites are in the order %s, what is not known last", (sorting, expected) => {
  const known: Record<string, Known> = {
    A: { figures: { ...nothing, visitors: 0 }, state: stateOf("up") },
    B: { figures: { ...nothing, visitors: 10, before: 5 }, state: stateOf() },
    C: { figures: { ...nothing, visitors: 90, before: 100 }, state: stateOf("up", "down") },
  };
  const sorted = sortWebsites(websites, sorting, (id) => known[id] ?? { figures: undefined, state: undefined });
  expect(sorted.map(({ id }) => id).join("")).toBe(expected);
});

test("pinned websites come first, and websites of the last visit keep their order", () => {
  expect(pinnedFirst(websites, ["C", "gone"]).map(({ id }) => id)).toEqual(["C", "B", "A", "D"]);
  expect(inOrderOf(websites, ["D", "A"]).map(({ id }) => id)).toEqual(["D", "A", "B", "C"]);
});

test("websites are found by name or domain, and by a tag", () => {
  const tagged = websites.map((website, index) => ({ ...website, tags: { names: index < 2 ? ["shops", "Ada"] : [] } }));
  expect(tagsOf(tagged)).toEqual(["Ada", "shops"]);
  expect(filterWebsites(tagged, "e", "shops").map(({ id }) => id)).toEqual(["B", "A"]);
  expect(filterWebsites(tagged, "cinema.ex", undefined).map(({ id }) => id)).toEqual(["C"]);
  expect(filterWebsites(tagged, "", "none")).toEqual([]);
});

test("a total is the sum of websites that are all known, and is compared only if all may be", () => {
  const one = { ...nothing, visitors: 10, before: 8 };
  expect(totalVisitors([one, { ...nothing, visitors: 5, before: 4 }])).toEqual({ visitors: 15, before: 12 });
  expect(totalVisitors([one, { ...nothing, isEmpty: true }])).toEqual({ visitors: 10, before: 8 });
  expect(totalVisitors([one, { ...nothing, visitors: 5 }])).toEqual({ visitors: 15, before: null });
  expect(totalVisitors([one, undefined])).toBeUndefined();
  expect(totalVisitors([one, nothing])).toBeUndefined();
});

const nowMs = Date.UTC(2026, 10, 28, 23, 30);
const comparison = {
  from: "2026-10-04T00:00:00.000Z",
  until: "2026-10-31T23:30:00.000Z",
  isComplete: true,
  unknown: [],
};
const answerOf = (visitors: number | null, before: number | null, more: object = {}) =>
  [
    {
      success: true,
      data: [{ unique_visitors: visitors }],
      comparison: { ...comparison, ...more, data: [{ unique_visitors: before }] },
    },
    { success: true, data: [{ value: 3 }, { value: null }, { value: 1 }] },
    { success: true, data: [{ goal: "signup", conversion_rate: 2.5 }] },
    { success: false, error: "away" },
    { success: true, data: [{ uptime_percentage: 99.9 }] },
  ] as never;

test("the days are 28 of the website's time zone, and the running one is not drawn", () => {
  expect(siteQuestion({ id: "w", timezone: "Asia/Tokyo" }, nowMs)).toMatchObject({
    startDate: "2026-11-02",
    endDate: "2026-11-29",
    compare: "weekdays",
  });
  expect(siteFigures({ data: answerOf(7, 5), unknown: [] }, "UTC", nowMs)).toEqual({
    visitors: 7,
    before: 5,
    compared: { from: comparison.from, until: comparison.until },
    days: [3, null],
    since: undefined,
    isEmpty: false,
    // This part of the answer failed, so it is unknown.
    now: null,
    goal: { name: "signup", rate: 2.5 },
    uptimePercent: 99.9,
  });
});

test("without complete weeks before there is no change but the day since when figures are kept", () => {
  const notStarted = {
    from: "2026-11-01T00:00:00.000Z",
    until: "2026-11-24T00:00:00.000Z",
    reason: "not_started",
  } as const;
  const young = answerOf(7, null, { isComplete: false });
  expect(siteFigures({ data: young, unknown: [notStarted] }, "UTC", nowMs)).toMatchObject({
    before: null,
    since: "2026-11-24",
    isEmpty: false,
  });
  const empty = { ...notStarted, until: "2026-11-28T23:30:00.000Z" };
  expect(siteFigures({ data: answerOf(null, null), unknown: [empty] }, "UTC", nowMs)).toMatchObject({ isEmpty: true });
});

test("the worst state of the monitors sorts a website", () => {
  expect(["down", "degraded", "unknown", "up"].map((status) => severityOf(stateOf("up", status)))).toEqual([
    0, 1, 2, 4,
  ]);
  expect(severityOf(undefined)).toBe(severityOf(stateOf()));
});

test("twelve calls run at a time at most, those for tiles on screen first, each once", async () => {
  const queue = new LimitedQueue(2);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (key: string, isUrgent: boolean) =>
    queue.add(
      key,
      () => {
        started.push(key);
        return new Promise((resolve) => ends.push(resolve));
      },
      isUrgent,
    );
  for (const key of ["a", "b", "c", "d"]) add(key, false);
  add("d", true);
  add("d", true);
  expect(started).toEqual(["a", "b"]);
  for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
    end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(started).toEqual(["a", "b", "d", "c"]);
});

test("arrow keys lead from tile to tile and stop at the edges", () => {
  const keys = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Enter"];
  expect(keys.map((key) => nextTile(key, 1, 3, 5))).toEqual([2, 0, 4, undefined, undefined]);
});
