import { describe, expect, test } from "vitest";
import type { FilterField } from "../../packages/client-js/src/filterFields.ts";
import { findField } from "../../src/query/sql/fields.ts";
import { countDays, daysOf, lastHours } from "../../web/app/src/figures/days.ts";
import { presets, type Range } from "../../web/app/src/figures/range.ts";
import { takesKey } from "../../web/app/src/keys/takesKey.ts";
import { comparisonText } from "../../web/app/src/pages/dashboard/bar/comparisonText.ts";
import { choiceOf, filterOf, operatorChoices } from "../../web/app/src/pages/dashboard/filters/filterChoice.ts";
import { filterFields } from "../../web/app/src/pages/dashboard/filters/filterFields.ts";
import { filterText } from "../../web/app/src/pages/dashboard/filters/filterText.ts";
import { goalFilterOf } from "../../web/app/src/pages/dashboard/filters/goalFilter.ts";
import { matchingValues } from "../../web/app/src/pages/dashboard/filters/matchingValues.ts";
import { valueOfRow, valueSourceOf } from "../../web/app/src/pages/dashboard/filters/valueSource.ts";
import { type Comparison, comparedWith, comparisonIn } from "../../web/app/src/pages/dashboard/view/comparison.ts";
import { currentBucketAt } from "../../web/app/src/pages/dashboard/view/currentBucketAt.ts";
import { readFilter, type ViewFilter, valuesOf, writeFilter } from "../../web/app/src/pages/dashboard/view/filter.ts";
import { excludePageViews } from "../../web/app/src/pages/dashboard/view/pageViews.ts";
import { granularitiesOf, granularityOf, scopeOf } from "../../web/app/src/pages/dashboard/view/question.ts";
import { stepRange } from "../../web/app/src/pages/dashboard/view/steps.ts";
import { texts as german } from "../../web/app/src/texts/de.ts";
import { texts } from "../../web/app/src/texts/en.ts";

const today = "2026-11-28";

describe("the range before and after", () => {
  test.each<[Range, -1 | 1, Range | undefined]>([
    [{ preset: "today" }, -1, { preset: "yesterday" }],
    [{ preset: "yesterday" }, 1, { preset: "today" }],
    [{ preset: "yesterday" }, -1, { from: "2026-11-26", to: "2026-11-26" }],
    [{ preset: "last_24h" }, -1, { preset: "yesterday" }],
    [{ preset: "last_28d" }, -1, { from: "2026-10-04", to: "2026-10-31" }],
    [{ from: "2026-10-04", to: "2026-10-31" }, 1, { preset: "last_28d" }],
    [{ preset: "this_month" }, -1, { preset: "last_month" }],
    [{ preset: "last_month" }, -1, { from: "2026-09-01", to: "2026-09-30" }],
    [{ from: "2026-09-01", to: "2026-09-30" }, 1, { preset: "last_month" }],
    [{ preset: "last_month" }, 1, { preset: "this_month" }],
    [{ from: "2026-01-01", to: "2026-01-31" }, 1, { from: "2026-02-01", to: "2026-02-28" }],
    [{ preset: "this_year" }, -1, { from: "2025-01-01", to: "2025-12-31" }],
    [{ from: "2025-01-01", to: "2025-12-31" }, 1, { preset: "this_year" }],
    [{ preset: "last_12m" }, -1, { from: "2024-12-01", to: "2025-11-30" }],
    [{ from: "2024-12-01", to: "2025-11-30" }, 1, { preset: "last_12m" }],
    // It would go on after today, so it ends with it.
    [{ from: "2026-11-10", to: "2026-11-20" }, 1, { from: "2026-11-21", to: "2026-11-28" }],
    [{ preset: "today" }, 1, undefined],
    [{ preset: "last_7d" }, 1, undefined],
    [{ preset: "this_month" }, 1, undefined],
    [{ preset: "last_24h" }, 1, undefined],
    [{ preset: "all" }, -1, undefined],
    [{ from: "2026-11-01", to: today }, 1, undefined],
  ])("of %j by %i is %j", (range, by, expected) => {
    expect(stepRange(range, by, today)).toEqual(expected);
  });

  test.each(presets.filter((preset) => !["all", "last_24h"].includes(preset)))(
    "%s: back and forth is the same",
    (preset) => {
      const before = stepRange({ preset }, -1, today);
      if (before === undefined) throw new Error("there is nothing before");
      const again = stepRange(before, 1, today);
      expect(again === undefined ? undefined : daysOf(again, today)).toEqual(daysOf({ preset }, today));
    },
  );
});

test("the days of ranges that the service has no name for", () => {
  const daysIn = (preset: (typeof presets)[number], day = today) => daysOf({ preset }, day, "2026-08-31");
  expect(daysIn("last_28d")).toEqual({ first: "2026-11-01", last: today });
  expect(countDays(daysIn("last_28d", "2026-03-10"))).toBe(28);
  expect(daysIn("last_12m")).toEqual({ first: "2025-12-01", last: today });
  expect(daysIn("last_12m", "2026-12-31")).toEqual({ first: "2026-01-01", last: "2026-12-31" });
  expect(daysIn("all")).toEqual({ first: "2026-08-31", last: today });
});

test.each([
  ["UTC", "2026-11-28T10:37:12.345Z", "2026-11-27T11:00:00.000Z", "2026-11-28T11:00:00.000Z"],
  ["Asia/Kolkata", "2026-11-28T10:37:12.345Z", "2026-11-27T11:30:00.000Z", "2026-11-28T11:30:00.000Z"],
  ["Europe/Berlin", "2026-11-28T11:00:00.000Z", "2026-11-27T12:00:00.000Z", "2026-11-28T12:00:00.000Z"],
])("the last 24 hours in %s at %s end with the hour", (zone, now, from, to) => {
  expect(lastHours(zone, Date.parse(now))).toEqual({ from, to });
  const subject = { websiteId: "w", timezone: zone };
  const clock = { nowMs: Date.parse(now), today, since: undefined };
  expect(scopeOf({ range: { preset: "last_24h" } }, subject, clock)).toEqual({
    ...subject,
    startDate: from,
    endDate: to,
  });
});

test("the service gets its own presets by name, and the days of the others", () => {
  const subject = { websiteId: "w", timezone: "UTC" };
  const scope = (range: Range) => scopeOf({ range }, subject, { nowMs: 0, today, since: "2026-08-31" });
  expect(scope({ preset: "last_30d" })).toEqual({ ...subject, preset: "last_30d" });
  expect(scope({ preset: "last_28d" })).toEqual({ ...subject, startDate: "2026-11-01", endDate: today });
  expect(scope({ preset: "all" })).toEqual({ ...subject, startDate: "2026-08-31", endDate: today });
});

test.each<[Range, Comparison | undefined, string]>([
  [{ preset: "today" }, undefined, "vs the day before"],
  [{ preset: "today" }, "weekdays", "vs the week before"],
  [{ preset: "last_24h" }, "previous", "vs the 24 hours before"],
  [{ preset: "last_7d" }, undefined, "vs the week before"],
  [{ preset: "last_28d" }, undefined, "vs 4 weeks before"],
  [{ preset: "last_28d" }, "previous", "vs 28 days before"],
  [{ preset: "last_30d" }, undefined, "vs 5 weeks before"],
  [{ preset: "this_month" }, undefined, "vs the month before"],
  [{ preset: "this_year" }, undefined, "vs the year before"],
  [{ preset: "last_12m" }, undefined, "vs a year before"],
  [{ preset: "last_28d" }, "none", "No comparison"],
  [{ preset: "all" }, undefined, "No comparison"],
  [{ preset: "last_28d" }, { from: "2026-01-01", to: "2026-01-28" }, "vs Jan 1 – 28, 2026"],
])("%j compared with %j says %s", (range, compare, said) => {
  const text = comparisonText(comparedWith(comparisonIn({ compare, range }), range, today), texts);
  expect(text.replaceAll("\u2009", " ")).toBe(said);
});

test("the chart has as many points as a line can show, and months where the first one is whole", () => {
  const of = (range: Range, granularity?: "hourly" | "weekly") =>
    granularityOf({ range, granularity }, { today, since: "2024-02-10" });
  expect(of({ preset: "last_24h" })).toBe("hourly");
  expect(of({ preset: "last_28d" })).toBe("daily");
  expect(of({ preset: "last_28d" }, "weekly")).toBe("weekly");
  expect(of({ preset: "last_90d" }, "hourly")).toBe("daily");
  expect(of({ preset: "last_12m" })).toBe("monthly");
  expect(of({ preset: "all" })).toBe("weekly");
  expect(granularitiesOf(1)).toEqual(["hourly", "daily"]);
  expect(granularitiesOf(28)).toEqual(["hourly", "daily", "weekly"]);
  expect(granularitiesOf(90)).toEqual(["daily", "weekly", "monthly"]);
});

test("the bucket that is not over is the day, the hour, or the week or month that has begun", () => {
  const now = { day: today, time: "10:30:00" };
  expect(currentBucketAt(["2026-11-27", today], now, true)).toBe(1);
  expect(currentBucketAt([`${today}T09:00:00Z`, `${today}T10:00:00Z`], now, true)).toBe(1);
  expect(currentBucketAt(["2026-11-16", "2026-11-23"], now, true)).toBe(1);
  expect(currentBucketAt(["2026-11-09", "2026-11-16"], now, false)).toBe(-1);
  expect(currentBucketAt(["2026-11-26", "2026-11-27"], now, false)).toBe(-1);
});

test.each<[string, ViewFilter]>([
  ["path:eq:/a:b", { field: "path", op: "eq", value: "/a:b" }],
  ["country:in:DE,FR", { field: "country", op: "in", value: ["DE", "FR"] }],
  ["title:not_in:a\\,b,c\\\\", { field: "title", op: "not_in", value: ["a,b", "c\\"] }],
  ["utm_source:is_empty:", { field: "utm_source", op: "is_empty" }],
])("the filter %s stays the same in an address", (text, filter) => {
  expect(readFilter(text)).toEqual([filter]);
  expect(writeFilter(filter)).toBe(text);
  expect(valuesOf(filter)).toEqual("value" in filter ? [filter.value].flat() : []);
});

test.each([
  ["event_name:in:signup,page_view", false],
  ["event_name:in:signup,order", true],
  ["event_name:not_in:page_view", true],
  ["properties.plan:is_empty:", false],
  ["properties.plan:is_not_empty:", true],
])("%s leaves no page views: %s", (text, isSo) => {
  expect(excludePageViews(readFilter(text))).toBe(isSo);
});

test("several values are one of them, and a filter is the same again in the form", () => {
  const several = { field: "country", op: "in", value: ["DE", "FR"] } as const;
  expect(choiceOf({ ...several, value: [...several.value] })).toEqual({
    field: "country",
    op: "eq",
    values: ["DE", "FR"],
  });
  expect(filterOf({ field: "country", op: "eq", values: ["DE", "FR"] })).toEqual(several);
  expect(filterOf({ field: "country", op: "ne", values: ["DE", "FR"] })).toEqual({ ...several, op: "not_in" });
  for (const op of operatorChoices) {
    const filter = filterOf({ field: "path", op, values: ["/a"] });
    if (filter === undefined) throw new Error("no filter");
    expect(filterOf(choiceOf(filter))).toEqual(filter);
  }
  expect(filterOf({ field: "path", op: "contains", values: ["/a", "/b"] })).toMatchObject({ value: "/a" });
  expect([
    filterOf({ field: "path", op: "eq", values: [] }),
    filterOf({ field: "path", op: "is_empty", values: [] }),
  ]).toEqual([undefined, { field: "path", op: "is_empty" }]);
});

test("a property without a key is no filter yet, and its value Unknown is not translated", () => {
  expect(filterOf({ field: "properties.", op: "eq", values: ["pro"] })).toBeUndefined();
  expect(filterOf({ field: "properties.a.b", op: "is_empty", values: [] })).toEqual({
    field: "properties.a.b",
    op: "is_empty",
  });
  const shown = (field: FilterField) => filterText({ field, op: "eq", value: "Unknown" }, german);
  expect([shown("properties.plan"), shown("city").values]).toEqual([
    { condition: "plan ist", values: "Unknown" },
    german.panels.unknown,
  ]);
});

test("goals are a filter on their events or pages, and those that no filter selects together are none", () => {
  const event = (value: string) => ({ kind: "event", value }) as const;
  const page = (value: string) => ({ kind: "page", value }) as const;
  expect(goalFilterOf([event("signup")])).toEqual({ field: "event_name", op: "eq", value: "signup" });
  expect(goalFilterOf([event("signup"), event("order")])).toEqual({
    field: "event_name",
    op: "in",
    value: ["signup", "order"],
  });
  expect(goalFilterOf([page("/a"), page("/b")])).toEqual({ field: "path", op: "in", value: ["/a", "/b"] });
  expect(goalFilterOf([page("/blog/*")])).toEqual({ field: "path", op: "starts_with", value: "/blog/" });
  expect(goalFilterOf([page("*")])).toEqual({ field: "path", op: "is_not_empty" });
  for (const none of [[], [event("a"), page("/a")], [page("/a"), page("/b*")], [page("/b*"), page("/a")]])
    expect(goalFilterOf(none)).toBeUndefined();
});

test("the values of a property are those of its key, and keys are searched as keys", () => {
  expect([valueSourceOf("properties."), valueSourceOf("session_id")]).toEqual([undefined, undefined]);
  expect(valueSourceOf("properties.plan")).toMatchObject({
    field: "properties.plan",
    within: { field: "property_key", op: "eq", value: "plan" },
  });
  expect(valueOfRow({ name: "order", property_key: "plan", property_value: "pro" })).toBe("pro");
  expect(valueOfRow({ property_key: "plan" })).toBe("plan");
});

test("known values are found by name or value in either letter case, each once and without the chosen ones", () => {
  const known = ["DE", "FR", "DE", "US"].map((value) => ({
    value,
    name: { DE: "Germany", FR: "France" }[value] ?? value,
  }));
  const found = (text: string, chosen: string[] = [], most = 9) =>
    matchingValues(known, text, chosen, most).map(({ value }) => value);
  expect([found(" germ"), found("fr"), found("", ["FR"]), found("", [], 1)]).toEqual([
    ["DE"],
    ["FR"],
    ["DE", "US"],
    ["DE"],
  ]);
});

test("each field to filter by is one that the service allows for the key figures", () => {
  for (const { field } of filterFields)
    expect([field, findField("events", field) !== undefined]).toEqual([field, true]);
});

test("keys are for the page unless something else has them", () => {
  const pressed = { key: "d", ctrlKey: false, altKey: false, metaKey: false, isComposing: false };
  const around = { isOn: true, isBusy: false, isTyping: false };
  expect(takesKey(pressed, around)).toBe(true);
  for (const held of ["ctrlKey", "altKey", "metaKey", "isComposing"])
    expect([held, takesKey({ ...pressed, [held]: true }, around)]).toEqual([held, false]);
  expect(takesKey(pressed, { ...around, isBusy: true })).toBe(false);
  expect(takesKey(pressed, { ...around, isTyping: true })).toBe(false);
  // They are turned on again in the list of keys.
  expect(takesKey(pressed, { ...around, isOn: false })).toBe(false);
  expect(takesKey({ ...pressed, key: "?" }, { ...around, isOn: false })).toBe(true);
});
