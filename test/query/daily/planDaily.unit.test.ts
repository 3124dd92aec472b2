import { expect, test } from "vitest";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { dailyKinds, dailyKindsOf } from "../../../src/query/daily/dailyKinds.ts";
import { knowledgeOf, planDaily, reachesPastRetention } from "../../../src/query/daily/planDaily.ts";
import { findField } from "../../../src/query/sql/fields.ts";
import type { Filter } from "../../../src/query/sql/filters.ts";
import type { EventRecord } from "../../../src/query/unknown/unknownTimes.ts";
import { timeZoneOf } from "../../../src/time/dates.ts";
import { dayMs } from "../../../src/time/utcDay.ts";

const utc = (text: string) => Date.parse(`${text}Z`);
const readMs = utc("2026-11-20T02:00:00");

/** Raw events since 22 August, daily figures since 1 January. */
const record: EventRecord = {
  readMs,
  firstMs: utc("2025-06-01T00:00:00"),
  keptFromMs: utc("2026-08-22T00:00:00"),
  dailyFromMs: utc("2026-01-01T00:00:00"),
  expired: [],
  erased: [],
  notRecorded: [],
};

function asked(
  name: string,
  from: string,
  until: string,
  more: { zone?: string; unit?: "day" | "hour" | "month"; filters?: readonly Filter[] } = {},
) {
  const type = catalogue.get(name);
  const zone = timeZoneOf(more.zone ?? "UTC");
  if (type === undefined || zone === undefined) throw new Error(`there is no type ${name} or zone ${more.zone}`);
  return {
    type,
    zone,
    bucketUnit: more.unit ?? "day",
    filters: more.filters ?? [],
    range: { startMs: utc(from), endMs: utc(until) },
  };
}

function filter(field: string, ...values: string[]): Filter {
  return { field, comparison: "equals", negated: false, values };
}

const kindsOf = (name: string, filters: readonly Filter[] = [], unit: "day" | "hour" = "day") =>
  dailyKindsOf(asked(name, "2026-01-01T00:00:00", "2026-02-01T00:00:00", { filters, unit }));

test("8: each kind of daily figures is about a field of events", () => {
  for (const { field } of dailyKinds) if (field !== "total") expect(findField("events", field), field).toBeDefined();
});

test.each([
  ["summary_metrics", [], { counted: "all", field: "total" }],
  ["summary_metrics", [filter("browser", "Firefox")], { counted: "all", field: "browser_name" }],
  ["events_by_date", [filter("utm_campaign", "spring")], { counted: "all", field: "utm_campaign" }],
  ["page_time_series", [filter("path", "/pricing")], { counted: "page_view", field: "path" }],
  ["top_pages", [], { counted: "page_view", field: "path" }],
  ["referrers", [filter("referrer", "google.com")], { counted: "all", field: "referrer_source" }],
  ["custom_events_trends", [filter("event_name", "order")], { counted: "custom", field: "event_name" }],
] as const)("8: daily figures answer %s with %o", (name, filters, kind) => {
  expect(kindsOf(name, filters)).toEqual([kind]);
});

test.each([
  ["a filter on another field", "top_pages", [filter("country", "DE")]],
  ["filters on two fields", "summary_metrics", [filter("country", "DE"), filter("device_type", "mobile")]],
  ["pages of a summary", "summary_metrics", [filter("path", "/")]],
  ["full addresses of referrers", "referrers", [filter("referrer", "https://google.com/search")]],
  ["properties", "summary_metrics", [filter("properties.plan", "pro")]],
  ["several fields of a breakdown", "browsers_grouped", []],
  ["lists", "session_list", []],
  ["the last minutes", "active_stats", []],
  ["other tables", "outbound_links", []],
  ["pages not found", "not_found_pages", []],
] as const)("8: daily figures do not answer %s", (_, name, filters) => {
  expect(kindsOf(name, filters)).toEqual([]);
});

test("8: daily figures answer no hours", () => {
  expect(kindsOf("events_by_date", [], "hour")).toEqual([]);
});

test("8: raw events answer a range that they cover, and one before which nothing happened", () => {
  const recent = asked("summary_metrics", "2026-09-01T00:00:00", "2026-10-01T00:00:00");
  expect(planDaily(recent, record)).toBeUndefined();
  const young = { ...record, firstMs: utc("2026-09-05T00:00:00") };
  const all = asked("summary_metrics", "2026-01-01T00:00:00", "2026-11-21T00:00:00");
  expect(reachesPastRetention(all, young)).toBe(false);
  expect(planDaily(all, young)).toBeUndefined();
});

test("8: figures of days that are still raw answer nothing more", () => {
  const late = { ...record, dailyFromMs: record.keptFromMs };
  expect(planDaily(asked("summary_metrics", "2026-01-01T00:00:00", "2026-11-21T00:00:00"), late)).toBeUndefined();
});

test.each([
  ["UTC", "2026-03-01T00:00:00", "2026-11-21T00:00:00", "2026-11-21T00:00:00"],
  // Still 19 November there: today in UTC is read, too.
  ["America/New_York", "2026-03-01T05:00:00", "2026-11-20T05:00:00", "2026-11-21T00:00:00"],
  ["Pacific/Auckland", "2026-02-28T11:00:00", "2026-11-20T11:00:00", "2026-11-21T00:00:00"],
])("8: the days of a range in %s are UTC days with the same names", (zone, from, until, readUntil) => {
  const plan = planDaily(asked("top_pages", from, until, { zone }), record);
  expect(plan?.range.startMs).toBe(utc("2026-03-01T00:00:00"));
  expect(plan?.untilMs).toBe(utc(readUntil));
});

test("8: what daily figures answer is not unknown, and whole days are no comparison with a part of one", () => {
  const whole = asked("summary_metrics", "2026-02-01T00:00:00", "2026-03-01T00:00:00");
  expect(knowledgeOf(whole, record)).toMatchObject({
    range: whole.range,
    beyondMs: 0,
    record: { keptFromMs: record.dailyFromMs },
  });
  const part = asked("summary_metrics", "2026-02-01T00:00:00", "2026-02-01T10:00:00");
  expect(knowledgeOf(part, record)).toMatchObject({ beyondMs: dayMs - 10 * 3_600_000 });
});
