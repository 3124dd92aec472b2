import { expect, test } from "vitest";
import type { Figures } from "../../../src/query/daily/dayFiguresSql.ts";
import { added, type Group, shownGroups, unfinishedTotals } from "../../../src/query/daily/smallGroups.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";

const figures = (visitors: number): Figures => ({
  page_views: 2 * visitors,
  custom_events: 0,
  visitors,
  sessions: visitors,
  bounces: 0,
  seconds: 0,
  visit_page_views: 2 * visitors,
});
const group = (value: string, visitors: number): Group => ({ value, figures: figures(visitors) });

test("small groups become one that is large enough, also when the shown groups are subtracted from the total", () => {
  const large = [group("de", 30), group("fr", 12)];
  expect(shownGroups({ visitors: 42, large, small: undefined }, 10)).toEqual({ groups: large, other: undefined });
  expect(shownGroups({ visitors: 53, large, small: figures(11) }, 10)).toEqual({ groups: large, other: figures(11) });
  // Three visitors alone are not shown, also not as what remains.
  expect(shownGroups({ visitors: 45, large, small: figures(3) }, 10)).toEqual({
    groups: [group("de", 30)],
    other: figures(15),
  });
  expect(shownGroups({ visitors: 9, large: [], small: figures(9) }, 10)).toEqual({ groups: [], other: undefined });
  expect(shownGroups({ visitors: 10, large: [], small: figures(10) }, 10)).toEqual({ groups: [], other: figures(10) });
});

test("one visitor of many small groups is not taken for many visitors", () => {
  // Twelve pages that one visitor alone has seen.
  const shown = shownGroups({ visitors: 21, large: [group("/", 20)], small: figures(12) }, 10);
  expect(shown).toEqual({ groups: [], other: figures(32) });
});

test("totals of a day that is not over grow by groups of visitors, not by each", () => {
  expect(unfinishedTotals(figures(9), 10)).toBeUndefined();
  expect(unfinishedTotals(figures(10), 10)).toMatchObject({ visitors: 10, sessions: 10, page_views: 0 });
  const last = { ...figures(64), page_views: 250 };
  expect(unfinishedTotals(last, 10)).toMatchObject({ visitors: 60, sessions: 60, page_views: 200 });
  // One visitor more, who leaves after five pages.
  const next = added(last, { ...figures(1), page_views: 5, bounces: 0, seconds: 77 });
  expect(unfinishedTotals(next, 10)).toEqual(unfinishedTotals(last, 10));
});

test("of random days no shown group and no rest has too few visitors", () => {
  const random = seededRandom(44);
  for (let round = 0; round < 2_000; round++) {
    const smallest = 5 + Math.floor(random() * 10);
    const all = Array.from({ length: 60 }, (_, id) => id).filter(() => random() < 0.8);
    const seenBy = new Map<string, Set<number>>();
    for (const id of all)
      for (let page = 0; page <= 2 * random(); page++) {
        const value = `/${Math.floor(12 * random() ** 2)}`;
        seenBy.set(value, (seenBy.get(value) ?? new Set()).add(id));
      }
    const groups = [...seenBy].map(([value, ids]) => group(value, ids.size));
    const large = groups.filter(({ figures: { visitors } }) => visitors >= smallest);
    const small = groups
      .filter((one) => !large.includes(one))
      .reduce<Figures | undefined>((sum, one) => added(sum, one.figures), undefined);
    const shown = shownGroups({ visitors: all.length, large, small }, smallest);
    const values = new Set(shown.groups.map(({ value }) => value));
    const rest = new Set([...seenBy].filter(([value]) => !values.has(value)).flatMap(([, ids]) => [...ids]));
    for (const value of values) expect(seenBy.get(value)?.size).toBeGreaterThanOrEqual(smallest);
    // A day without enough visitors shows nothing, so that there is nothing to subtract from.
    if (all.length >= smallest && rest.size > 0) expect(rest.size).toBeGreaterThanOrEqual(smallest);
    const views = (some: readonly Group[]) => some.reduce((sum, one) => sum + one.figures.page_views, 0);
    if (all.length >= smallest) expect(views(shown.groups) + (shown.other?.page_views ?? 0)).toBe(views(groups));
  }
});
