import { randomUUID } from "node:crypto";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { pick, type SampleEvent, sampleEvents, sampleLinks, samplePaths } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { countRows, insertRows, type SampleRow } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import * as reference from "./referenceAnswers.ts";

const seed = 20_260_301;
const websiteId = randomUUID();
const otherWebsiteId = randomUUID();

/** Forty days with the changes of clocks of New York, Berlin, Adelaide and Auckland in 2026. */
const firstMs = Date.UTC(2026, 2, 1);
const lengthMs = 40 * 86_400_000;

const events = sampleEvents(seededRandom(seed), 600, firstMs, lengthMs);
const sample = { events, links: sampleLinks(seededRandom(seed + 1), events) };

let reader: QuestdbReader;

/** Tests of rounds of random queries, each made of the same sequence of random numbers, and of what holds for every type. */
export function testEngine(firstRound: number, lastRound: number): void {
  beforeAll(async () => {
    reader = openQuestdb();
    const insert = (table: string, rows: readonly SampleRow[], website: string) =>
      insertRows(reader, table, rows, website);
    await insert("events", sample.events, websiteId);
    await insert("outgoing_links", sample.links, websiteId);
    // Rows that no answer may count.
    await insert("events", sample.events.slice(0, 50), otherWebsiteId);
    await insert("outgoing_links", sample.links.slice(0, 10), otherWebsiteId);
    const measured = [new Date(firstMs).toISOString(), websiteId, 1];
    await reader.read(
      "INSERT INTO performance_metrics (ts, website_id, event_key, metric_type, value) " +
        "VALUES ($1, $2, $3, 'LCP', 1.5), ($1, $2, $3, 'load_time', 2)",
      measured,
    );
    await reader.read(
      "INSERT INTO script_errors (ts, website_id, event_key, message) VALUES ($1, $2, $3, 'no')",
      measured,
    );
    for (const table of ["performance_metrics", "script_errors"])
      await vi.waitFor(async () => expect(await countRows(reader, table, websiteId)).toBeGreaterThan(0), {
        timeout: 100_000,
      });
    await vi.waitFor(async () => expect(await countRows(reader, "events", websiteId)).toBe(sample.events.length), {
      timeout: 100_000,
    });
    await vi.waitFor(
      async () => expect(await countRows(reader, "outgoing_links", websiteId)).toBe(sample.links.length),
      {
        timeout: 100_000,
      },
    );
  });

  afterAll(() => reader.close());

  const zones = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Adelaide",
    "Pacific/Auckland",
  ];

  describe("4.1 every answer equals a calculation from the definitions", () => {
    const random = seededRandom(seed + 2);
    for (let round = 0; round < lastRound; round++) {
      const filter =
        round % 3 === 0 ? [] : Array.from({ length: 1 + Math.floor(random() * 2) }, () => randomFilter(random));
      const zone = pick(random, zones);
      const start = pick(random, ["2026-03-07", "2026-03-10", "2026-03-27", "2026-03-28T13:20:00"]);
      const end = pick(random, ["2026-03-29", "2026-03-31", "2026-04-05", "2026-04-06T02:30:00Z"]);
      // Hours may span 30 days only.
      const unit = start === "2026-03-07" && end > "2026-04-05" ? "day" : pick(random, ["day", "hour"] as const);
      if (round < firstRound) continue;
      test(`round ${round}: ${start} to ${end} in ${zone} by ${unit}, ${filter.map((one) => `${one.field} ${one.op} ${one.text}`).join(", ") || "no filter"}`, async () => {
        const ask = (name: string) => answer({ name, start, end, zone, unit, filters: filter });
        const query = queryOf({ start, end, zone, unit, filters: filter });
        expectRows(await ask("summary_metrics"), reference.summary(sample, query));
        expectRows(await ask("events_by_date"), reference.eventsByDate(sample, query));
        expectRows(await ask("pages"), reference.pages(sample, query));
        expectRows(await ask("entry_pages"), reference.sessionPages(sample, query, "first"));
        expectRows(await ask("exit_pages"), reference.sessionPages(sample, query, "last"));
        expectRows(
          await ask("browsers"),
          reference.audience(sample, query, ({ browser }) => browser, "Unknown"),
        );
        expectRows(
          await ask("device_types"),
          reference.audience(sample, query, ({ device }) => device, "Unknown"),
        );
        expectRows(
          (await ask("referrers")).map(({ referrer, ...row }) => ({ ...row, name: referrer ?? null })),
          reference.audience(sample, query, ({ referrer_source }) => referrer_source, "Direct"),
        );
        expectRows(
          (await ask("traffic_sources")).map(({ source, ...row }) => ({ ...row, name: source ?? null })),
          reference.audience(sample, query, ({ referrer_group }) => referrer_group, "direct"),
        );
        expectRows(
          (await ask("countries")).map(({ country: _, ...row }) => row),
          reference.audience(sample, query, ({ country }) => country, "Unknown"),
        );
        expectRows(
          await ask("utm_sources"),
          reference.audience(sample, query, ({ utm_source }) => utm_source),
        );
        expectRows(await ask("sessions_by_device"), reference.sessionsByDevice(sample, query));
        expectRows(await ask("events"), reference.customEvents(sample, query));
        expectRows(
          await answer({ name: "outbound_domains", start, end, zone, unit, filters: [] }),
          reference.outboundDomains(sample, queryOf({ start, end, zone, unit, filters: [] })),
        );
        expectRows(
          await ask("page_views"),
          reference
            .eventsByDate(sample, query)
            .map(({ date, pageviews }) => ({ date: date ?? "", value: pageviews ?? null })),
        );
        expectRows(
          await ask("bounce_rate"),
          reference
            .eventsByDate(sample, query)
            .map(({ date, bounce_rate }) => ({ date: date ?? "", value: bounce_rate ?? null })),
        );
      });
    }
  });

  const namedVisitors = {
    field: "anonymous_id",
    op: "in",
    text: "",
    values: Array.from({ length: 50 }, (_, index) => `v${index}`),
  };

  /**
   * Realtime types, and those over rows that this sample lacks, are in rawFigures.long.test.ts, those of short links in test/links, what was left out in test/ingest/excluded. Goals, which
   * a question must have for goal_conversions, are in test/query/differential/goals.long.test.ts.
   */
  const sampled = [...catalogue.values()].filter(
    ({ period, table, shape }) =>
      period === undefined &&
      shape.kind !== "goal_conversions" &&
      !["link_clicks", "llm_calls", "uptime_checks", "excluded_traffic"].includes(table),
  );

  test("4.1 every query type answers with exactly the fields in the catalogue", async () => {
    for (const type of sampled) {
      const rows = await answer({
        name: type.name,
        start: "2026-03-01",
        end: "2026-04-05",
        zone: "UTC",
        unit: "day",
        filters: type.requiredFilter === undefined ? [] : [namedVisitors],
      });
      expect(rows.length, type.name).toBeGreaterThan(0);
      for (const row of rows) expect(Object.keys(row), type.name).toEqual(type.fields.map(({ name }) => name));
    }
  });

  test("4.1 limit and page split one stable order", async () => {
    const whole = await answer({
      name: "pages",
      start: "2026-03-01",
      end: "2026-04-09",
      zone: "UTC",
      unit: "day",
      filters: [],
    });
    expect(whole).toHaveLength(samplePaths.length);
    const pieces: JsonObject[] = [];
    for (let page = 1; page <= 4; page++)
      pieces.push(
        ...(await answer({
          name: "pages",
          start: "2026-03-01",
          end: "2026-04-09",
          zone: "UTC",
          unit: "day",
          filters: [],
          limit: 3,
          page,
        })),
      );
    expect(pieces).toEqual(whole);
  });

  test("4.1 a filter accepts the value that answers show for rows without one", async () => {
    const direct = { field: "referrer", op: "eq", text: "Direct", values: ["Direct"] };
    const rows = await answer({
      name: "referrers",
      start: "2026-03-01",
      end: "2026-04-09",
      zone: "UTC",
      unit: "day",
      filters: [direct],
    });
    expect(rows.map(({ name }) => name)).toEqual(["Direct"]);
  });

  test("4.1 without websites all figures are zero", async () => {
    const [planned] = await planQueries(
      requestOf({ name: "page_views", start: "2026-03-01", end: "2026-03-02", zone: "UTC", unit: "day", filters: [] }),
      0,
    );
    const work = planned?.parameters[0]?.work;
    if (work === undefined || "error" in work) throw new Error("not planned");
    expect(await runParameter({ ...work, websiteIds: [] }, reader)).toEqual([
      { date: "2026-03-01", value: 0 },
      { date: "2026-03-02", value: 0 },
    ]);
  });
}

type RandomFilter = { field: string; op: string; text: string; values: readonly string[] };

function randomFilter(random: () => number): RandomFilter {
  const field = pick(random, [
    "path",
    "country",
    "browser",
    "referrer",
    "utm_source",
    "event_name",
    "session_id",
    "device_type",
    "title",
  ]);
  const op = pick(random, ["eq", "ne", "contains", "not_contains", "starts_with", "in", "not_in"]);
  const values = {
    path: [...samplePaths, "Unknown"],
    country: ["DE", "US", "D", "Unknown"],
    browser: ["Chrome", "Safari", "Sa", "Unknown"],
    referrer: ["https://g.example/a", "news.example", "example", "Direct"],
    utm_source: ["news", "ad", "n", "Unknown"],
    event_name: ["screen_view", "buy", "%"],
    session_id: ["s1", "s2", "s"],
    device_type: ["desktop", "mobile", "Unknown"],
    title: ["Home", "", "o"],
  }[field] ?? ["x"];
  const many = op === "in" || op === "not_in";
  const chosen = Array.from({ length: many ? 2 : 1 }, () => pick(random, values));
  const usable = chosen.map((value) => (value === "" && !["eq", "ne", "in", "not_in"].includes(op) ? "o" : value));
  return { field, op, text: usable.join("|"), values: usable };
}

type Ask = {
  name: string;
  start: string;
  end: string;
  zone: string;
  unit: "day" | "hour";
  filters: readonly RandomFilter[];
  limit?: number;
  page?: number;
};

function requestOf({ name, start, end, zone, unit, filters, limit = 1_000, page = 1 }: Ask) {
  return fromJson(QueryRequestSchema, {
    timezone: zone,
    query: {
      parameters: [{ name }],
      startDate: start,
      endDate: end,
      granularity: unit,
      filters: filters.map(({ field, op, values }) => ({
        field,
        op,
        value: values.length === 1 ? (values[0] ?? "") : [...values],
      })),
      limit,
      page,
    },
  });
}

async function answer(ask: Ask): Promise<JsonObject[]> {
  const work = (await planQueries(requestOf(ask), 0))[0]?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  return runParameter({ ...work, websiteIds: [websiteId] }, reader);
}

function queryOf(ask: Omit<Ask, "name">): reference.Query {
  const ofEvents = ask.filters.filter(({ field }) => eventFields.has(field));
  const ofVisits = ask.filters.filter(({ field }) => !eventFields.has(field));
  return {
    startMs: localMs(ask.start, ask.zone, "start"),
    endMs: localMs(ask.end, ask.zone, "end"),
    zone: ask.zone,
    unit: ask.unit,
    event:
      ofEvents.length === 0
        ? undefined
        : (event) => ofEvents.every((filter) => accepts(filter, [eventField(filter.field, event)])),
    visit: (values) => ofVisits.every((filter) => accepts(filter, visitField(filter.field, values))),
  };
}

/** The instant of a local text, found by trying every offset that a zone can have. */
function localMs(text: string, zone: string, edge: "start" | "end"): number {
  if (text.endsWith("Z")) return Date.parse(text);
  const day = text.length === 10;
  const wanted = day && edge === "end" ? new Date(Date.parse(text) + 86_400_000).toISOString().slice(0, 10) : text;
  const asUtc = Date.parse(`${wanted.slice(0, 10)}T${day ? "00:00:00" : text.slice(11)}Z`);
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  for (let minutes = -14 * 60; minutes <= 14 * 60; minutes += 15) {
    const ms = asUtc - minutes * 60_000;
    if (Date.parse(`${format.format(ms).replace(" ", "T")}Z`) === asUtc) return ms;
  }
  throw new Error(`${text} does not exist in ${zone}`);
}

/** Fields of events among those of randomFilter. All others are of visits. */
const eventFields: ReadonlySet<string> = new Set(["path", "event_name", "title"]);

/** Whether a filter accepts one of the values of a field, of which the first is the one that answers show. */
function accepts({ field, op, values }: RandomFilter, all: readonly (string | null)[]): boolean {
  const [shown] = all;
  const label = field === "referrer" ? "Direct" : "Unknown";
  const equals = values.some((value) => all.includes(value) || (!shown && (value === label || value === "")));
  const contains = values.some((value) => all.some((one) => one?.includes(value)));
  switch (op) {
    case "eq":
    case "in":
      return equals;
    case "ne":
    case "not_in":
      return !equals;
    case "contains":
      return contains;
    case "not_contains":
      return !contains;
    default:
      return values.some((value) => all.some((one) => one?.startsWith(value)));
  }
}

function eventField(field: string, event: SampleEvent): string | null {
  switch (field) {
    case "event_name":
      return event.name;
    case "path":
    case "title":
      return event[field];
    default:
      throw new Error(`no field ${field} of events`);
  }
}

function visitField(field: string, values: reference.VisitValues): (string | null)[] {
  switch (field) {
    case "referrer":
      return [values.referrer_source, values.referrer];
    case "device_type":
      return [values.device];
    case "country":
    case "browser":
    case "utm_source":
    case "session_id":
      return [values[field]];
    default:
      throw new Error(`no field ${field} of visits`);
  }
}

/**
 * How far a figure may be off: averages depend on the order of their sum, medians have three digits, and two in series. Everything else
 * is exact.
 */
const tolerances: Readonly<Record<string, (wanted: number, isSeries: boolean) => number>> = {
  avg_session_duration: () => 0.011,
  median_session_duration: (wanted, isSeries) => 0.011 + wanted * (isSeries ? 0.01 : 0.002),
};

function expectRows(actual: readonly JsonObject[], wanted: readonly reference.AnswerRow[]): void {
  const near = (row: reference.AnswerRow, other: JsonObject | undefined) =>
    Object.entries(row).map(([name, value]): [string, unknown] => {
      const found = other?.[name];
      const tolerance = tolerances[name]?.(Number(value), "date" in row);
      const isNear = tolerance !== undefined && Math.abs(Number(found) - Number(value)) <= tolerance;
      return [name, isNear ? found : value];
    });
  expect(actual).toEqual(wanted.map((row, index) => Object.fromEntries(near(row, actual[index]))));
}
