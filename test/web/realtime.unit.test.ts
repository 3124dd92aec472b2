import { describe, expect, test } from "vitest";
import { withKeys } from "../../web/app/src/pages/realtime/eventKeys.ts";
import { highestMinute, minuteBars, totalsOf } from "../../web/app/src/pages/realtime/minutes.ts";
import { isNews, speechEveryMs } from "../../web/app/src/pages/realtime/spokenNews.ts";

describe("minutes", () => {
  const rows = [
    { minute: "2026-03-01T10:00:00Z", pageviews: 3, events: 4, visitors: 2 },
    { minute: "2026-03-01T10:01:00Z", pageviews: 0, events: 0, visitors: 0 },
    { minute: "2026-03-01T10:02:00Z", pageviews: 1, events: 1, visitors: 1 },
  ];

  test("become bars whose parts are page views and custom events, of which only the last is running", () => {
    expect(
      minuteBars(rows).map(({ views, events, viewShare, eventShare, isRunning }) => [
        views,
        events,
        viewShare,
        eventShare,
        isRunning,
      ]),
    ).toEqual([
      [3, 1, 0.75, 0.25, false],
      [0, 0, 0, 0, false],
      [1, 0, 0.25, 0, true],
    ]);
    expect(highestMinute(rows)).toBe(4);
  });

  test("sum up to what the totals say", () => {
    expect(totalsOf(minuteBars(rows))).toEqual({ views: 4, events: 1 });
  });

  test("without anything are bars without height", () => {
    const [bar] = minuteBars([{ minute: "2026-03-01T10:00:00Z", pageviews: 0, events: 0, visitors: 0 }]);
    expect([bar?.viewShare, bar?.eventShare]).toEqual([0, 0]);
  });
});

test("an event keeps its key when newer ones arrive, also an equal one", () => {
  const event = (name: string, second: number) => ({
    event_type: "custom",
    event_name: name,
    path: "/",
    country: "DE",
    device_type: "",
    timestamp: `2026-03-01T10:00:0${second}.000Z`,
  });
  const before = withKeys([event("buy", 1), event("buy", 1), event("view", 0)]);
  const after = withKeys([event("view", 2), event("buy", 1), event("buy", 1), event("buy", 1), event("view", 0)]);
  expect(new Set(after.map(({ key }) => key)).size).toBe(5);
  expect(after.slice(2).map(({ key }) => key)).toEqual(before.map(({ key }) => key));
});

test("screen readers are told at first, and then at most once a minute what has changed", () => {
  const first = { atMs: 0, visitors: 2, total: 5 };
  expect(isNews(undefined, first)).toBe(true);
  expect(isNews(first, { atMs: speechEveryMs - 1, visitors: 9, total: 99 })).toBe(false);
  expect(isNews(first, { atMs: speechEveryMs, visitors: 2, total: 5 })).toBe(false);
  expect(isNews(first, { atMs: speechEveryMs, visitors: 2, total: 6 })).toBe(true);
  expect(isNews(first, { atMs: speechEveryMs, visitors: 3, total: 5 })).toBe(true);
});
