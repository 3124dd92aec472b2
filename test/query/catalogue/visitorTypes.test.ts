import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { pick, sampleEvents, sampleLinks } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { askRows, type RowsQuery } from "../answer/askRows.ts";
import { type Query, selectedVisits, type Visit, type VisitValues, visitsOf } from "../answer/referenceAnswers.ts";

const websiteId = randomUUID();
const dayMs = 86_400_000;
const firstMs = Date.UTC(2026, 2, 1);
const lengthMs = 40 * dayMs;

const random = seededRandom(77);
const events = sampleEvents(random, 400, firstMs, lengthMs).map((event, index) => {
  const isExit = event.event_type === "page_exit";
  return {
    ...event,
    event_id: `e${index}`,
    os: event.device === "mobile" ? "iOS" : null,
    // Quarters are exact as FLOAT.
    scroll_depth_percent: isExit ? pick(random, [0, 12.25, 25, 49.75, 75, 100, null]) : null,
    interaction_count: isExit ? pick(random, [0, 0, 1, 7, null]) : null,
    properties:
      event.event_type === "custom" ? JSON.stringify({ plan: pick(random, ["pro", "free"]), n: index }) : null,
  };
});
type StoredEvent = (typeof events)[number];
const links = sampleLinks(random, events).map((link, index) => ({
  ...link,
  event_id: `l${index}`,
  anonymous_id: link.visitor_key === null ? null : `v${link.visitor_key}`,
  session_id: link.session_key === null ? null : `s${link.session_key}`,
  path: pick(random, ["/pricing", "/a", null]),
  properties: pick(random, ['{"plan":"pro"}', null]),
}));
const sample = { events, links };

let reader: QuestdbReader;

beforeAll(async () => {
  reader = openQuestdb();
  const other = randomUUID();
  await insertRows(reader, "events", events, websiteId);
  await insertRows(reader, "outgoing_links", sample.links, websiteId);
  // Rows that no answer may count.
  await insertRows(reader, "events", events.slice(0, 60), other);
  const count = (table: string, website: string, wanted: number) =>
    vi.waitFor(async () => expect(await countRows(reader, table, website)).toBe(wanted), { timeout: 100_000 });
  await count("events", websiteId, events.length);
  await count("outgoing_links", websiteId, sample.links.length);
  await count("events", other, 60);
});

afterAll(() => reader.close());

type Filter = { field: string; op: string; value: string };
type Case = {
  name: string;
  start: string;
  end: string;
  zone: string;
  filter?: Filter;
} & Pick<Query, "event" | "visit">;

const cases: readonly Case[] = [
  { name: "40 days in UTC", start: "2026-03-01", end: "2026-04-09", zone: "UTC" },
  { name: "days with a change of clocks", start: "2026-03-24", end: "2026-04-06", zone: "Europe/Berlin" },
  { name: "a day far from UTC", start: "2026-03-18", end: "2026-03-18", zone: "Pacific/Auckland" },
  {
    name: "filtered by country",
    start: "2026-03-05",
    end: "2026-03-25",
    zone: "America/New_York",
    filter: { field: "country", op: "eq", value: "DE" },
    visit: ({ country }) => country === "DE",
  },
  {
    name: "filtered by path",
    start: "2026-03-01",
    end: "2026-04-09",
    zone: "UTC",
    filter: { field: "path", op: "eq", value: "/pricing" },
    event: ({ path }) => path === "/pricing",
  },
];

/** Midnight in a zone; none of these days begins with a change of clocks. */
function midnightMs(day: string, zone: string): number {
  for (let minutes = -14 * 60; minutes <= 14 * 60; minutes += 15) {
    const ms = Date.parse(`${day}T00:00:00Z`) - minutes * 60_000;
    if (localDay(ms, zone) === day && localDay(ms - 1, zone) !== day) return ms;
  }
  throw new Error(`no midnight of ${day} in ${zone}`);
}

function localDay(ms: number, zone: string): string {
  return new Date(ms).toLocaleDateString("sv-SE", { timeZone: zone });
}

const nextDay = (day: string, days = 1) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

function queryOf({ start, end, zone, event, visit }: Case): Query {
  return { startMs: midnightMs(start, zone), endMs: midnightMs(nextDay(end), zone), zone, unit: "day", event, visit };
}

const eventAt = new Map(events.map((event) => [event.tsMs, event]));
const stored = (session: Visit): StoredEvent[] => session.events.flatMap(({ tsMs }) => eventAt.get(tsMs) ?? []);
type StoredLink = (typeof links)[number];
const linkAt = new Map<unknown, StoredLink>(links.map((link) => [link, link]));
/** Events and outgoing links of a session in order of time. */
const allOf = (session: Visit): (StoredEvent | StoredLink)[] =>
  [...stored(session), ...session.links.flatMap((link) => linkAt.get(link) ?? [])].sort((a, b) => a.tsMs - b.tsMs);
const isLink = (activity: StoredEvent | StoredLink): activity is StoredLink => "href" in activity;
const shown = (activity: StoredEvent | StoredLink) => ({
  event_id: activity.event_id,
  time: new Date(activity.tsMs).toISOString(),
  event_type: isLink(activity) ? "outgoing_link" : activity.event_type,
  event_name: isLink(activity) ? "outgoing_link" : activity.name,
  path: activity.path ?? "",
  href: isLink(activity) ? activity.href : "",
  text: isLink(activity) ? (activity.text ?? "") : "",
  properties: activity.properties === null ? null : JSON.parse(activity.properties),
});
const round = (value: number) => Math.round(value * 100) / 100;
const distinct = (values: readonly unknown[]) =>
  new Set(values.filter((value) => value !== null && value !== undefined)).size;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const largest = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};

/** Names as QuestDB orders them. */
const byName = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

for (const one of cases)
  describe(`A1 ${one.name}`, () => {
    const range = queryOf(one);
    const sessions = selectedVisits(sample, range);
    const ask = (type: string, more: Partial<RowsQuery> = {}) =>
      askRows(reader, websiteId, {
        type,
        start: one.start,
        end: one.end,
        zone: one.zone,
        filters: one.filter === undefined ? [] : [one.filter],
        ...more,
      });

    type PageVisit = {
      session: Visit;
      path: string;
      views: number;
      ms: number | null;
      depth: number | null;
      count: number | null;
    };
    // Of all visits that the filters on visit fields select: the event that those on event fields select may be a page exit here.
    const visits: PageVisit[] = selectedVisits(sample, { ...range, event: undefined }).flatMap((session) =>
      [
        ...Map.groupBy(
          stored(session).filter(({ event_type }) => event_type !== "custom"),
          ({ path }) => path || "Unknown",
        ),
      ].flatMap(([path, all]) => {
        const isSelected = range.event ?? (() => true);
        if (!all.some(isSelected)) return [];
        return {
          session,
          path,
          views: all.filter((event) => event.event_type === "page_view" && isSelected(event)).length,
          ms: largest(all.map((event) => ((event.time_on_page_ms ?? 1e9) < 1_800_000 ? event.time_on_page_ms : null))),
          depth: largest(all.map((event) => event.scroll_depth_percent)),
          count: largest(all.map((event) => event.interaction_count)),
        };
      }),
    );
    const visitorsOf = (some: readonly PageVisit[]) => distinct(some.map(({ session }) => session.visitor));
    const sessionsOfVisits = (some: readonly PageVisit[]) => distinct(some.map(({ session }) => session));

    test("session_duration_distribution", async () => {
      const ends = [30, 60, 300, 900, 3_600, Number.POSITIVE_INFINITY];
      const labels = ["0-30s", "30s-1m", "1m-5m", "5m-15m", "15m-1h", "1h+"];
      const place = (seconds: number) => ends.findIndex((end) => seconds < end);
      expect(await ask("session_duration_distribution")).toEqual(
        labels.map((label, index) => {
          const group = sessions.filter(({ seconds }) => place(seconds) === index);
          const percentage = sessions.length === 0 ? 0 : round((100 * group.length) / sessions.length);
          const visitors = distinct(group.map(({ visitor }) => visitor));
          return { duration_range: label, sessions: group.length, visitors, percentage };
        }),
      );
    });

    test("session_list in pages, with their events", async () => {
      const wanted = sessions
        .toSorted((a, b) => b.startMs - a.startMs)
        .map((session) => {
          const all = stored(session);
          const first = (name: "country" | "referrer" | "device" | "browser" | "os") =>
            all.find((event) => event[name])?.[name] ?? "";
          const firstId = (name: "session_id" | "anonymous_id") =>
            allOf(session).find((activity) => activity[name])?.[name] ?? "";
          return {
            session_id: firstId("session_id"),
            first_visit: new Date(session.startMs).toISOString(),
            page_views: session.pageViews,
            duration: round(session.seconds),
            visitor_id: firstId("anonymous_id"),
            country: first("country"),
            referrer: first("referrer"),
            device_type: first("device"),
            browser_name: first("browser"),
            os_name: first("os"),
            events: allOf(session).map(shown),
          };
        });
      const rows = [
        ...(await ask("session_list", { limit: 20 })),
        ...(await ask("session_list", { limit: 20, page: 2 })),
      ];
      expect(rows.map(({ last_visit: _, ...row }) => row)).toEqual(wanted.slice(0, 40));
      expect(await ask("session_list")).toHaveLength(Math.min(1_000, wanted.length));
    });

    test("page_performance, page_time_analysis and page_scroll_performance", async () => {
      const pages = [...Map.groupBy(visits, ({ path }) => path)].map(([name, all]) => {
        const times = all.flatMap(({ ms }) => (ms === null ? [] : [ms]));
        const deep = all.filter(({ depth }) => depth !== null);
        return { name, all, times, deep, pageviews: all.reduce((sum, { views }) => sum + views, 0) };
      });
      const sorted = (
        size: (page: (typeof pages)[number]) => number,
        visitors = (page: (typeof pages)[number]) => visitorsOf(page.all),
      ) =>
        pages
          .filter((page) => size(page) > 0)
          .sort((a, b) => size(b) - size(a) || visitors(b) - visitors(a) || byName(a.name, b.name));
      expect(await ask("page_performance")).toEqual(
        sorted(({ pageviews }) => pageviews).map(({ name, all, times, pageviews }) => ({
          name,
          pageviews,
          avg_time_on_page: times.length === 0 ? null : expect.closeTo(mean(times) / 1_000, 1),
          visitors: visitorsOf(all),
        })),
      );
      const timed = sorted(({ times }) => times.length);
      const total = timed.reduce((sum, { times }) => sum + times.length, 0);
      const analysis = await ask("page_time_analysis");
      expect(analysis.map(({ median_time_on_page: _, ...row }) => row)).toEqual(
        timed.map(({ name, all, times }) => ({
          name,
          sessions_with_time: times.length,
          visitors: visitorsOf(all),
          percentage: round((100 * times.length) / total),
        })),
      );
      for (const [index, { times }] of timed.entries()) {
        const middle = times.toSorted((a, b) => a - b)[Math.ceil(times.length / 2) - 1] ?? 0;
        expect(Math.abs(Number(analysis[index]?.["median_time_on_page"]) * 1_000 - middle)).toBeLessThanOrEqual(
          middle * 0.002 + 10,
        );
      }
      expect(await ask("page_scroll_performance")).toEqual(
        sorted(
          ({ deep }) => sessionsOfVisits(deep),
          ({ deep }) => visitorsOf(deep),
        ).map(({ name, deep }) => ({
          name,
          avg_scroll_depth: expect.closeTo(mean(deep.map(({ depth }) => depth ?? 0)), 1),
          visitors: visitorsOf(deep),
          sessions: sessionsOfVisits(deep),
          pageviews: deep.reduce((sum, { views }) => sum + views, 0),
        })),
      );
    });

    test("scroll_depth_summary, scroll_depth_distribution and interaction_summary", async () => {
      const bySession = [...Map.groupBy(visits, ({ session }) => session)].map(([session, all]) => {
        const counts = all.flatMap(({ count }) => (count === null ? [] : [count]));
        return {
          session,
          depth: largest(all.map(({ depth }) => depth)),
          interactions: counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0),
        };
      });
      const deep = bySession.filter(({ depth }) => depth !== null);
      const visitors = (some: typeof bySession) => distinct(some.map(({ session }) => session.visitor));
      const depths = visits.flatMap(({ depth }) => (depth === null ? [] : [depth]));
      expect(await ask("scroll_depth_summary")).toEqual([
        {
          avg_scroll_depth: depths.length === 0 ? null : expect.closeTo(mean(depths), 1),
          total_sessions: deep.length,
          visitors: visitors(deep),
        },
      ]);
      expect(await ask("scroll_depth_distribution")).toEqual(
        ["0-25%", "25-50%", "50-75%", "75-100%"].map((label, index) => {
          const group = deep.filter(({ depth }) => Math.min(3, Math.floor((depth ?? 0) / 25)) === index);
          const percentage = deep.length === 0 ? 0 : round((100 * group.length) / deep.length);
          return { depth_range: label, visitors: visitors(group), sessions: group.length, percentage };
        }),
      );
      const reported = bySession.flatMap(({ interactions }) => (interactions === null ? [] : [interactions]));
      const active = reported.filter((count) => count > 0).length;
      expect(await ask("interaction_summary")).toEqual([
        {
          avg_interactions: reported.length === 0 ? 0 : round(mean(reported)),
          interactive_sessions: active,
          interaction_rate: reported.length === 0 ? 0 : round((100 * active) / reported.length),
          total_sessions: reported.length,
        },
      ]);
    });

    test("retention_cohorts and retention_rate", async () => {
      const seenVisits = sessions.filter(({ visitor }) => visitor !== null);
      const daysOf = new Map(
        [...Map.groupBy(seenVisits, ({ visitor }) => visitor)].map(([visitor, all]) => [
          visitor,
          new Set(all.map(({ startMs }) => localDay(startMs, one.zone)).sort()),
        ]),
      );
      const monday = (day: string) => nextDay(day, -((new Date(day).getUTCDay() + 6) % 7));
      const cohorts = Map.groupBy(daysOf.values(), (days) => monday([...days][0] ?? ""));
      expect(await ask("retention_cohorts")).toEqual(
        [...cohorts]
          .sort(([a], [b]) => byName(a, b))
          .map(([cohort, users]) => ({
            cohort,
            users: users.length,
            ...Object.fromEntries(
              [0, 1, 2, 3, 4, 5].map((week) => {
                const weekDay = nextDay(cohort, week * 7);
                const seen = users.filter((days) => [...days].some((day) => monday(day) === weekDay)).length;
                return [`week_${week}_retention`, weekDay > one.end ? null : round((100 * seen) / users.length)];
              }),
            ),
          })),
      );
      const days: string[] = [];
      for (let day = one.start; day <= one.end; day = nextDay(day)) days.push(day);
      expect(await ask("retention_rate")).toEqual(
        days.map((date) => {
          const seen = [...daysOf.values()].filter((all) => all.has(date));
          const fresh = seen.filter((all) => [...all][0] === date).length;
          const back = seen.length - fresh;
          const rate = seen.length === 0 ? 0 : round((100 * back) / seen.length);
          return { date, new_users: fresh, returning_users: back, retention_rate: rate };
        }),
      );
    });

    test("profile_list and profile_detail", async () => {
      const visitors = [
        ...Map.groupBy(
          sessions.filter(({ visitor }) => visitor !== null),
          ({ visitor }) => visitor,
        ),
      ];
      const rows = await ask("profile_list");
      expect(rows.length).toBe(visitors.length);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows.slice(0, 30)) {
        // All visits of the visitor, since a filter only selects visitors.
        const all = selectedVisits(sample, { ...range, event: undefined, visit: undefined }).filter(
          ({ visitor }) => `v${visitor}` === row["visitor_id"],
        );
        const done = all.flatMap(stored);
        const latest = all.toSorted((a, b) => b.startMs - a.startMs)[0];
        const customs = done.filter(({ event_type }) => event_type === "custom");
        expect(row).toMatchObject({
          session_count: all.length,
          total_events: done.filter(({ event_type }) => event_type !== "page_exit").length,
          custom_event_count: customs.length,
          unique_event_names: distinct(customs.map(({ name }) => name)),
          unique_pages: distinct(done.filter(({ event_type }) => event_type === "page_view").map(({ path }) => path)),
          user_agent: null,
          session_start: new Date(latest?.startMs ?? 0).toISOString(),
          duration: round(latest?.seconds ?? 0),
          page_views: latest?.pageViews,
        });
        expect((row["events"] as JsonObject[]).map((event) => event["event_id"])).toEqual(
          latest && allOf(latest).map(({ event_id }) => event_id),
        );
      }
      const [visitor, own] = visitors[0] ?? [];
      if (one.filter !== undefined || own === undefined) return;
      const [detail] = await ask("profile_detail", {
        filters: [{ field: "anonymous_id", op: "eq", value: `v${visitor}` }],
      });
      expect(detail).toMatchObject({
        visitor_id: `v${visitor}`,
        total_sessions: own.length,
        total_pageviews: own.reduce((sum, { pageViews }) => sum + pageViews, 0),
        total_duration: round(own.reduce((sum, { seconds }) => sum + seconds, 0)),
      });
    });
  });

test("A1 session_flow counts a session on each path it viewed", async () => {
  const rows = await askRows(reader, websiteId, { type: "session_flow", start: "2026-03-01", end: "2026-04-09" });
  const one = queryOf({ name: "", start: "2026-03-01", end: "2026-04-09", zone: "UTC" });
  const paths = selectedVisits(sample, one).flatMap(({ events: all }) => [
    ...new Set(all.filter(({ event_type }) => event_type === "page_view").map(({ path }) => path)),
  ]);
  const counts = Map.groupBy(paths, (path) => path);
  expect(rows.length).toBe(counts.size);
  for (const row of rows) expect(row["sessions"]).toBe(counts.get(String(row["name"]))?.length);
});

describe("A1 session_events: events of all kinds, outgoing links included, latest first", () => {
  const endMs = Date.UTC(2026, 3, 10);
  const all = [...events, ...links].filter(({ tsMs }) => tsMs < endMs).sort((a, b) => b.tsMs - a.tsMs);
  const ask = (filters: RowsQuery["filters"], more: Partial<RowsQuery> = {}) =>
    askRows(reader, websiteId, {
      ...{ type: "session_events", start: "2026-03-01", end: "2026-04-09", limit: 10_000 },
      ...{ filters: filters ?? [], ...more },
    });
  const linkOrUndefined = (activity: StoredEvent | StoredLink) => (isLink(activity) ? undefined : activity);
  const visitOf = new Map(
    visitsOf(sample).flatMap((visit) => allOf(visit).map((activity) => [activity, visit] as const)),
  );
  /** By the values of the visit; events and links of no visit by their own, unless they only lack one because they are page exits alone. */
  const ofVisit = (accepts: (values: Partial<VisitValues>) => boolean) => (activity: StoredEvent | StoredLink) => {
    const values = visitOf.get(activity)?.values ?? (activity.session_key === null ? activity : undefined);
    return values !== undefined && accepts(values);
  };

  test("all of them, in pages", async () => {
    const visible = ["session_id", "device_type", "browser_name", "country"];
    const rows = await ask([]);
    expect(
      rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !visible.includes(name)))),
    ).toEqual(all.map(shown));
    for (const page of [1, 3, 20, 100])
      expect(await ask([], { limit: 30, page })).toEqual(rows.slice(30 * page - 30, 30 * page));
  });

  test.each<[string, string, JsonValue, (activity: StoredEvent | StoredLink) => boolean]>([
    ["session_id", "eq", "s7", ofVisit(({ session_id }) => session_id === "s7")],
    ["anonymous_id", "in", ["v1", "v2"], ofVisit(({ anonymous_id }) => anonymous_id === "v1" || anonymous_id === "v2")],
    ["page", "eq", "/pricing", ({ path }) => path === "/pricing"],
    ["path", "ne", "/pricing", ({ path }) => path !== "/pricing"],
    ["event_type", "eq", "outgoing_link", isLink],
    [
      "event_type",
      "not_in",
      ["outgoing_link", "custom"],
      (one) => linkOrUndefined(one)?.event_type.startsWith("page") ?? false,
    ],
    ["event_name", "contains", "link", isLink],
    ["event_name", "eq", "buy", (one) => linkOrUndefined(one)?.name === "buy"],
    ["country", "eq", "DE", ofVisit(({ country }) => country === "DE")],
    ["country", "ne", "DE", ofVisit(({ country }) => country !== "DE")],
    ["country", "eq", "Unknown", ofVisit(({ country }) => !country)],
    ["country", "starts_with", "D", ofVisit(({ country }) => country?.startsWith("D") ?? false)],
    ["browser", "not_contains", "Fire", ofVisit(({ browser }) => !browser?.includes("Fire"))],
    ["properties.plan", "eq", "pro", ({ properties }) => properties !== null && JSON.parse(properties).plan === "pro"],
  ])("filtered by %s %s %j", async (field, op, value, accepts) => {
    const rows = await ask([{ field, op, value }]);
    expect(rows.map(({ event_id }) => event_id)).toEqual(all.filter(accepts).map(({ event_id }) => event_id));
  });
});

test("A1 profile types without an anonymous_id fail with advice", async () => {
  for (const type of ["profile_detail", "profile_sessions"])
    for (const filters of [
      [],
      [{ field: "anonymous_id", op: "ne", value: "v1" }],
      [{ field: "country", op: "eq", value: "DE" }],
    ])
      await expect(
        askRows(reader, websiteId, { type, start: "2026-03-01", end: "2026-03-02", filters }),
      ).rejects.toThrow(`${type} needs a filter on anonymous_id with eq or in`);
});
