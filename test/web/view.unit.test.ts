import { expect, test } from "vitest";
import { presetRange, timeZoneOf } from "../../src/time/dates.ts";
import { changeOf } from "../../web/app/src/figures/change.ts";
import { comparedTime } from "../../web/app/src/figures/comparedTime.ts";
import { daysOf, localTime } from "../../web/app/src/figures/days.ts";
import { servicePresets } from "../../web/app/src/figures/range.ts";
import { callOf } from "../../web/app/src/pages/dashboard/copy/calls.ts";
import { comparisonIn } from "../../web/app/src/pages/dashboard/view/comparison.ts";
import { drawnMetric, excludePageViews } from "../../web/app/src/pages/dashboard/view/pageViews.ts";
import { readView, standardView, withFilters, writeView } from "../../web/app/src/pages/dashboard/view/view.ts";
import { addressOf, readPlace } from "../../web/app/src/router/path.ts";
import { texts } from "../../web/app/src/texts/en.ts";

test("a view is the same after it was in an address, and the usual one leaves the address empty", () => {
  const view = {
    range: { from: "2026-03-01", to: "2026-03-07" },
    compare: "year",
    granularity: "hourly",
    metric: "bounce_rate",
    filters: [{ field: "properties.a", op: "ne", value: "x:y&z=ä" }],
    goal: { kind: "event", value: "a:b & c" },
    segment: "0fbdca97-9d72",
  } as const;
  expect(readView(new URLSearchParams(writeView(view).toString()))).toEqual(view);
  expect(writeView(standardView).toString()).toBe("");
  // A weekend is not compared with working days unless that is asked for.
  const comparisonOf = (query: string) => comparisonIn(readView(new URLSearchParams(query)));
  const own = { ...standardView, compare: { from: "2026-01-01", to: "2026-01-28" } } as const;
  expect(readView(writeView(own))).toEqual(own);
  expect(comparisonOf("range=last_12m")).toBe("year");
  expect(comparisonOf("range=all&compare=year")).toBe("none");
  expect(["", "range=last_90d", "from=2026-03-01&to=2026-03-09"].map(comparisonOf)).toEqual(Array(3).fill("weekdays"));
  expect(["range=today", "range=this_month", "compare=previous"].map(comparisonOf)).toEqual(Array(3).fill("previous"));
  expect(writeView({ ...standardView, compare: "weekdays" }).toString()).toBe("compare=weekdays");
  expect(
    readView(
      new URLSearchParams(
        "range=ever&compare=x&by=week&filter=path&filter=a:like:b&filter=a:in:&from=2026-02-31&to=2026-03-31&goal=signup",
      ),
    ),
  ).toEqual(standardView);
  const filter = { field: "path", op: "eq", value: "/" } as const;
  const other = { ...filter, op: "ne" } as const;
  expect(withFilters(standardView, [filter, filter]).filters).toEqual([filter]);
  expect(withFilters(withFilters(standardView, [filter, other]), [filter]).filters).toEqual([filter, other]);
});

test.each(servicePresets)("the days of %s are the service's", (preset) => {
  const zone = timeZoneOf("America/New_York");
  if (zone === undefined) throw new Error("no zone");
  for (const now of ["2026-03-08T05:30:00Z", "2026-01-01T03:00:00Z", "2028-02-29T12:00:00Z", "2026-11-01T23:59:59Z"]) {
    const nowMs = Date.parse(now);
    const { day } = localTime("America/New_York", nowMs);
    const range = presetRange(preset, nowMs, zone);
    const { first, last } = daysOf({ preset }, day);
    expect([first, last]).toEqual([
      localTime("America/New_York", range?.startMs ?? 0).day,
      localTime("America/New_York", (range?.endMs ?? 0) - 1).day,
    ]);
  }
});

test.each([
  ["event_name:eq:signup", true],
  ["event_name:ne:signup", false],
  ["event_name:eq:page_view", false],
  ["event_name:starts_with:sign", true],
  ["event_name:matches:**sign?p*", true],
  ["event_name:matches:p?ge*", false],
  ["event_type:eq:custom", true],
  ["properties.plan:eq:pro", true],
  ["properties.plan:ne:pro", false],
  ["properties.plan:not_contains:pro", false],
  ["properties.notFound:eq:true", false],
  ["domain:ends_with:example", true],
  ["path:eq:/pricing", false],
  ["title:contains:price", false],
  ["country:eq:DE", false],
])("%s leaves no page views: %s", (filter, isSo) => {
  const { filters } = readView(new URLSearchParams({ filter }));
  expect(excludePageViews(filters)).toBe(isSo);
  expect(drawnMetric({ metric: "pageviews", filters })).toBe(isSo ? "sessions" : "pageviews");
});

test.each([
  ["2026-11-25T23:00:00Z", "2026-11-26T15:24:30Z", "on Nov 26, 2026 until 16:24"],
  ["2026-11-25T23:00:00Z", "2026-11-26T23:00:00Z", "on Nov 26, 2026"],
  ["2026-09-30T22:00:00Z", "2026-10-27T08:05:00Z", "in Oct 1 – 27, 2026 until 09:05"],
  ["2026-09-30T22:00:00Z", "2026-10-31T23:00:00Z", "in Oct 1 – 31, 2026"],
])("figures of %s to %s are those %s", (from, until, written) => {
  expect(comparedTime({ from, until }, "Europe/Berlin", texts).replaceAll("\u2009", " ")).toBe(written);
});

test("a change is in percent, or of percentages in points, and says whether it is good", () => {
  expect(changeOf(150, 100, { moreIs: "better", unit: "percent" })).toEqual({ size: 50, isGood: true });
  expect(changeOf(50, 40, { moreIs: "worse", unit: "percent" })).toEqual({ size: 25, isGood: false });
  expect(changeOf(0, 0, { moreIs: "better", unit: "percent" })).toEqual({ size: 0, isGood: undefined });
  expect(changeOf(5, 0, { moreIs: "better", unit: "percent" })).toBeUndefined();
  expect(changeOf(46, 36.8, { moreIs: "worse", unit: "points" })).toEqual({ size: 9.2, isGood: false });
  expect(changeOf(5.15, 8.27, { moreIs: "better", unit: "points" })).toEqual({ size: -3.1, isGood: false });
  expect(changeOf(5, 0, { moreIs: "better", unit: "points" })).toEqual({ size: 5, isGood: true });
});

test("a call for the shell survives quotation marks", () => {
  const question = {
    websiteId: "w1",
    timezone: "Europe/Berlin",
    preset: "today",
    parameters: ["top_pages"],
    filters: [{ field: "path", op: "eq", value: "/it's" }],
  } as const;
  const curl = callOf("curl", question, "https://stats.example/x");
  expect(curl).toContain("'https://stats.example/x/v1/query?website_id=w1&timezone=Europe%2FBerlin'");
  expect(curl).toContain("/it'\\''s");
  expect(callOf("grpc", question, "https://stats.example")).toContain(
    "stats.example:443 lookout.v1.QueryService/Query",
  );
  expect(callOf("typescript", question, "https://stats.example")).toContain('"timezone": "Europe/Berlin"');
});

test("places are below the path that the app is served at", () => {
  const place = readPlace(new URL("https://x.example/stats/dashboard/a%2Fb?range=today#token=t"), "/stats/");
  expect([place.segments, place.query.get("range"), place.fragment]).toEqual([
    ["dashboard", "a/b"],
    "today",
    "token=t",
  ]);
  expect(addressOf("/stats/", ["dashboard", "a/b"])).toBe("/stats/dashboard/a%2Fb");
  expect(readPlace(new URL("https://x.example/%E0%A4%A"), "/").segments).toEqual(["%E0%A4%A"]);
});
