import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { pick, sampleEvents, sampleLinks } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { askRows } from "../answer/askRows.ts";
import { type VisitValues, visitsOf } from "../answer/referenceAnswers.ts";

const websiteId = randomUUID();
const dayMs = 86_400_000;
const firstMs = Date.UTC(2026, 2, 1);
const random = seededRandom(91);
const events = sampleEvents(random, 300, firstMs, 10 * dayMs);
const links = sampleLinks(random, events);
const visits = visitsOf({ events, links });

/** Up to 40 minutes before and after events, so within visits and beside them; some of no session. */
const rows = events.flatMap((event, index) =>
  [-2_400_000, -1, 0, 60_000, 1_799_999, 1_800_000, 2_400_000].map((offsetMs, place) => ({
    tsMs: event.tsMs + offsetMs,
    event_key: index * 10 + place,
    session_key: place === 6 ? null : event.session_key,
    visitor_key: event.visitor_key,
    path: pick(random, ["/a", "/b"]),
  })),
);
const errors = rows.map((row) => ({ ...row, message: pick(random, ["x is not defined", "no"]) }));
const vitals = rows.map((row) => ({ ...row, metric_type: "LCP", value: 100 }));

let reader: QuestdbReader;

beforeAll(async () => {
  reader = openQuestdb();
  await insertRows(reader, "events", events, websiteId);
  await insertRows(reader, "outgoing_links", links, websiteId);
  await insertRows(reader, "script_errors", errors, websiteId);
  await insertRows(reader, "performance_metrics", vitals, websiteId);
  for (const table of ["script_errors", "performance_metrics", "events"] as const) {
    const wanted = table === "events" ? events.length : rows.length;
    await vi.waitFor(async () => expect(await countRows(reader, table, websiteId)).toBe(wanted), { timeout: 100_000 });
  }
});

afterAll(() => reader.close());

type Filter = { field: string; op: string; value: string };
type Case = { readonly filters: readonly Filter[]; readonly selects: (values: VisitValues) => boolean };

const cases: readonly Case[] = [
  {
    filters: [{ field: "utm_campaign", op: "eq", value: "spring" }],
    selects: ({ utm_campaign }) => utm_campaign === "spring",
  },
  {
    filters: [{ field: "utm_campaign", op: "ne", value: "spring" }],
    selects: ({ utm_campaign }) => utm_campaign !== "spring",
  },
  {
    filters: [{ field: "utm_campaign", op: "is_not_empty", value: "" }],
    selects: ({ utm_campaign }) => utm_campaign !== null,
  },
  {
    filters: [
      { field: "referrer_group", op: "eq", value: "search" },
      { field: "utm_medium", op: "ne", value: "mail" },
    ],
    selects: ({ referrer_group, utm_medium }) => referrer_group === "search" && utm_medium !== "mail",
  },
];

/** Ranges that cut visits at both ends, and one without any row. */
const ranges = [
  { start: "2026-03-01", end: "2026-03-10" },
  { start: "2026-03-03", end: "2026-03-04" },
  { start: "2026-02-01", end: "2026-02-02" },
];

const named = (filters: readonly Filter[]) => filters.map((filter) => Object.values(filter).join(" ")).join(", ");

test.each(cases.flatMap((one) => ranges.map((range) => ({ ...one, ...range, name: named(one.filters) }))))(
  "4.2 errors and vitals are filtered by their visit: $name, $start to $end",
  async ({ filters, selects, start, end }) => {
    const isSelected = ({ tsMs, session_key }: (typeof rows)[number]) =>
      tsMs >= Date.parse(start) &&
      tsMs < Date.parse(end) + dayMs &&
      session_key !== null &&
      visits.some(
        (visit) =>
          [...visit.events, ...visit.links].some((activity) => activity.session_key === session_key) &&
          tsMs >= visit.startMs &&
          tsMs < Math.min(visit.endMs + 1_800_000, (Math.floor(visit.endMs / dayMs) + 1) * dayMs) &&
          selects(visit.values),
      );
    const expected = errors.filter(isSelected);
    const ask = (type: string) => askRows(reader, websiteId, { type, start, end, filters });
    const [summary] = await ask("error_summary");
    expect(summary).toMatchObject({
      totalErrors: expected.length,
      affectedSessions: new Set(expected.map(({ session_key }) => session_key)).size,
    });
    const trends = await ask("error_trends");
    expect(trends.reduce((sum, row) => sum + Number(row["errors"]), 0)).toBe(expected.length);
    const pages = await ask("errors_by_page");
    const ofPage = (page: string) => expected.filter(({ path }) => path === page).length;
    expect(Object.fromEntries(pages.map((row) => [row["name"], row["errors"]]))).toEqual(
      Object.fromEntries(["/a", "/b"].flatMap((page) => (ofPage(page) === 0 ? [] : [[page, ofPage(page)]]))),
    );
    expect(await ask("recent_errors")).toHaveLength(Math.min(1_000, expected.length));
    const [vital] = await ask("vitals_overview");
    expect(vital?.["samples"] ?? 0).toBe(expected.length);
  },
);

test("4.2 the sample has errors of visits that filters select, and others", () => {
  for (const { selects } of cases) {
    const selected = visits.filter(({ values }) => selects(values)).length;
    expect(selected).toBeGreaterThan(5);
    expect(selected).toBeLessThan(visits.length - 5);
  }
});
