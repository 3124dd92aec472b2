import { expect, test } from "vitest";
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
import {
  homeQuestion,
  readHome,
  readTrend,
  type SiteFigures,
  trendQuestion,
} from "../../web/app/src/pages/home/siteFigures.ts";
import { type SiteState, severityOf, siteState } from "../../web/app/src/pages/home/siteState.ts";
import { sumOfSites, sumsByTag } from "../../web/app/src/pages/home/sumOfSites.ts";
import { footTexts, stateText } from "../../web/app/src/pages/home/tileTexts.ts";
import { texts as first } from "../../web/app/src/texts/en.ts";
import { texts as settings } from "../../web/app/src/texts/settings/en.ts";

const texts = { home: settings.home, uptime: { ...first.uptime, ...settings.uptime } };

const nothing: SiteFigures = {
  now: null,
  visitors: null,
  usual: null,
  lowest: null,
  highest: null,
  visits: null,
  since: undefined,
};

const began = "2026-11-01T00:00:00.000Z";

const stateOf = (state: string, inState = 1, monitors = inState): SiteState =>
  siteState({ state, in_state: inState, monitors, incidents: [] });

test.each([
  [stateOf("none", 0), "No monitor"],
  [stateOf("up"), "Up"],
  [stateOf("up", 3), "3 up"],
  [stateOf("down", 1, 3), "1 of 3 down"],
  [stateOf("down"), "Down"],
  [stateOf("paused", 2), "2 paused"],
  [stateOf("a state of a later version"), "Unknown"],
])("monitors that are %j are said as %j", (state, expected) => {
  expect(stateText(state, texts)).toBe(expected);
});

test("what is not known is left out of a tile, and a website without events says so", () => {
  expect(footTexts({ ...nothing, since: began }, texts)).toEqual([]);
  expect(footTexts({ ...nothing, visitors: 1, now: 0, visits: 1, since: began }, texts)).toEqual(["0 now", "1 visit"]);
  expect(footTexts(nothing, texts)).toEqual(["No event yet"]);
});

const websites = ["Bakery", "Atelier", "Cinema", "Dentist"].map((name) => ({
  id: name[0] ?? "",
  name,
  domain: `${name.toLowerCase()}.example`,
}));

test.each<[Sorting, string]>([
  ["visitors", "CBAD"],
  ["now", "ABCD"],
  ["change", "BCAD"],
  ["name", "ABCD"],
  ["state", "CABD"],
])("by %s the websites are in the order %s, what is not known last", (sorting, expected) => {
  const known: Record<string, Known> = {
    A: { figures: { ...nothing, visitors: 0, now: 4 }, state: stateOf("up") },
    B: { figures: { ...nothing, visitors: 10, usual: 5, now: 2 }, state: stateOf("none", 0) },
    C: { figures: { ...nothing, visitors: 90, usual: 100, now: 0 }, state: stateOf("down", 1, 2) },
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

test("a sum is that of websites that are all known, and is compared only if all may be", () => {
  const one = { ...nothing, visitors: 10, visits: 12, usual: 8, now: 1, since: began };
  const young = { ...one, visitors: 5, usual: null };
  expect(sumOfSites([one, { ...one, visitors: 5, usual: 4.5 }])).toEqual({
    visitors: 15,
    visits: 24,
    usual: 12.5,
    now: 2,
  });
  expect(sumOfSites([one, nothing])).toEqual({ visitors: 10, visits: 12, usual: 8, now: 1 });
  expect(sumOfSites([one, young])).toEqual({ visitors: 15, visits: 24, usual: null, now: 2 });
  expect(sumOfSites([one, { ...one, now: null }])).toMatchObject({ now: null });
  expect(sumOfSites([one, undefined])).toBeUndefined();
  expect(sumOfSites([one, { ...nothing, since: began }])).toBeUndefined();
});

test("a website with two tags is in the sum of each", () => {
  const tagged = ["a", "b", "c"].map((id, index) => ({ id, tags: { names: [["x"], ["x", "y"], []][index] ?? [] } }));
  const figures = new Map(tagged.map(({ id }, index) => [id, { ...nothing, visitors: index + 1, since: began }]));
  expect(sumsByTag(tagged, ["x", "y"], figures)).toMatchObject([
    { tag: "x", websites: 2, sum: { visitors: 3 } },
    { tag: "y", websites: 1, sum: { visitors: 2 } },
  ]);
  expect(sumsByTag(tagged, ["x"], undefined)).toEqual([{ tag: "x", websites: 2, sum: undefined }]);
});

const usual = { usual_visitors: 5, usual_lowest: 2, usual_highest: 8, usual_days: 4 };
const today = { website_id: "a", visitors: 7, sessions: 9, ...usual, since: began };
const incident = { id: "i", monitor_id: "m", monitor_name: "Shop", started_at: began };
const answers = [
  { success: true, data: [{ website_id: "b", active_users: 3 }] },
  { success: true, data: [today, { ...today, website_id: "b", visitors: null, usual_visitors: null, since: null }] },
  { success: true, data: [{ website_id: "a", state: "down", in_state: 1, monitors: 2, incidents: [incident] }] },
] as const;

test("one question has the figures of all websites, and names none of them", () => {
  expect(homeQuestion("org")).toEqual({
    organizationId: "org",
    preset: "today",
    limit: 10_000,
    parameters: ["websites_now", "websites_today", "websites_uptime"],
  });
  const { figures, states } = readHome({ data: answers } as never);
  expect(figures?.get("a")).toEqual({
    ...{ now: 0, visitors: 7, usual: 5, lowest: 2, highest: 8, visits: 9 },
    since: began,
  });
  expect(figures?.get("b")).toMatchObject({ now: 3, visitors: null, usual: null, since: undefined });
  expect(states?.get("a")).toEqual({
    state: "down",
    count: 1,
    total: 2,
    incidents: [{ id: "i", monitorId: "m", monitorName: "Shop", startedAt: began }],
  });
});

test("a part of the answer that failed is unknown and leaves the others as they are", () => {
  const without = (place: number) =>
    answers.map((one, index) => (index === place ? { success: false, error: "" } : one));
  expect(readHome({ data: without(0) } as never).figures?.get("a")).toMatchObject({ now: null, visitors: 7 });
  expect(readHome({ data: without(1) } as never)).toMatchObject({ figures: undefined, states: expect.any(Map) });
  expect(readHome({ data: without(2) } as never)).toMatchObject({ figures: expect.any(Map), states: undefined });
});

test("lines are of days that are over, and what is unknown of them is a gap", () => {
  expect(trendQuestion("org")).toMatchObject({ organizationId: "org", parameters: ["websites_trend"] });
  const row = { website_id: "a", first_day: "2026-11-01", visitors_by_day: [3, null, 1] };
  expect(readTrend({ data: [{ success: true, data: [row] }] } as never).get("a")).toEqual([3, null, 1]);
  expect(readTrend({ data: [{ success: false, error: "" }] } as never).size).toBe(0);
});

test("the worst state of the monitors sorts a website", () => {
  expect(["down", "degraded", "unknown", "up"].map((state) => severityOf(stateOf(state)))).toEqual([0, 1, 2, 4]);
  expect(severityOf(undefined)).toBe(severityOf(stateOf("none", 0)));
});

test("arrow keys lead from tile to tile and stop at the edges", () => {
  const keys = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Enter"];
  expect(keys.map((key) => nextTile(key, 1, 3, 5))).toEqual([2, 0, 4, undefined, undefined]);
});
