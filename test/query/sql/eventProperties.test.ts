import { randomUUID } from "node:crypto";
import type { JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { askRows, type RowsQuery } from "../answer/askRows.ts";

const websiteId = randomUUID();
const crowdedWebsiteId = randomUUID();
const startMs = Date.UTC(2026, 4, 1);
const range = { start: "2026-05-01", end: "2026-05-03" };

/** Keys that break JSON paths, SQL or JSON. */
const hardKeys = [
  "a.b",
  "a[b",
  "a]b",
  "a[0]",
  'a"b',
  "a\\b",
  "a/b",
  "a~b",
  "~1",
  "a'b",
  "ä ö",
  "0",
  "$",
  "$.x",
  " sp ",
  "*",
  "a\nb",
  "😀",
  "[",
  "]",
  ".",
  "a:b",
  "{",
  "}",
  "a,b",
  "'; DROP TABLE events --",
  "$1",
  "__proto__",
  "constructor",
];

type Properties = { [key: string]: JsonValue };
type Event = { tsMs: number; name: string; visitor: number; properties: Properties | null };

const random = seededRandom(5);
const events: Event[] = Array.from({ length: 600 }, (_, index) => {
  const properties: Properties = JSON.parse("{}");
  const put = (key: string, value: JsonValue) =>
    Object.defineProperty(properties, key, { value, enumerable: true, configurable: true, writable: true });
  if (random() < 0.8) put("plan", pick(random, ["pro", "free", "team", "10", "", "pro%"]));
  if (random() < 0.7) put("amount", pick(random, [5, 10, 9.5, -3, 1e21, 0]));
  if (random() < 0.5) put("trial", pick(random, [true, false]));
  if (random() < 0.3) put("note", pick(random, [null, "x", "2026-05-01"]));
  if (random() < 0.2) put("nested", pick<JsonValue>(random, [{ a: [1, "b"] }, [1, 2]]));
  if (random() < 0.4) put("day", pick(random, ["2026-05-01", "2026-05-02T10:00:00Z"]));
  if (random() < 0.4) put("link", pick(random, ["https://a.example/x", "http://b.example"]));
  put(pick(random, hardKeys), pick(random, ["v", "w", 7]));
  return {
    tsMs: startMs + index * 400_000,
    name: pick(random, ["buy", "sign_up", "it's"]),
    visitor: 1 + Math.floor(random() * 40),
    properties: random() < 0.1 ? null : properties,
  };
});

let reader: QuestdbReader;

beforeAll(async () => {
  reader = openQuestdb();
  const row = (event_type: string, { tsMs, name, visitor, properties }: Event) => ({
    tsMs,
    event_type,
    name,
    visitor_key: visitor,
    session_key: 1_000 + visitor,
    session_id: `s${visitor}`,
    anonymous_id: `v${visitor}`,
    path: visitor % 2 ? "/a" : "/b",
    properties: properties === null ? null : JSON.stringify(properties),
  });
  const rows = [
    ...events.map((event) => row("custom", event)),
    // Page views with properties are no custom events.
    ...events.slice(0, 20).map((event) => row("page_view", { ...event, tsMs: event.tsMs + 1 })),
  ];
  // More different values than one answer counts, in few rows of many properties.
  const crowd = Array.from({ length: 101 }, (_, index) => {
    const many = Array.from({ length: 2_000 }, (_, key): [string, number] => [`k${key}`, index * 2_000 + key]);
    return row("custom", {
      tsMs: startMs + index,
      name: "crowd",
      visitor: 1,
      properties: { plan: "pro", ...Object.fromEntries(many) },
    });
  });
  await insertRows(reader, "events", rows, websiteId);
  // QuestDB accepts a few MB in one message.
  for (let start = 0; start < crowd.length; start += 10)
    await insertRows(reader, "events", crowd.slice(start, start + 10), crowdedWebsiteId);
  const count = (website: string, wanted: number) =>
    vi.waitFor(async () => expect(await countRows(reader, "events", website)).toBe(wanted), { timeout: 100_000 });
  await count(websiteId, rows.length);
  await count(crowdedWebsiteId, crowd.length);
});

afterAll(() => reader.close());

const ask = (type: string, filters: RowsQuery["filters"] = [], more: Partial<RowsQuery> = {}) =>
  askRows(reader, websiteId, { type, ...range, filters, limit: 10_000, ...more });

const textOf = (value: JsonValue) => (typeof value === "string" ? value : JSON.stringify(value));

/** The text of a property, empty where there is none. */
function propertyOf({ properties }: Event, key: string): string {
  const value = properties !== null && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return value === undefined || value === null ? "" : textOf(value);
}

async function countOf(filters: RowsQuery["filters"]): Promise<number> {
  const [row] = await ask("custom_events_summary", filters);
  return Number(row?.["total_events"]);
}

describe("4.1 filters on properties of custom events", () => {
  const operators: readonly [string, JsonValue, (text: string) => boolean][] = [
    ["eq", "v", (text) => text === "v"],
    ["eq", 7, (text) => text === "7"],
    ["ne", "v", (text) => text !== "v"],
    ["in", ["w", 7], (text) => text === "w" || text === "7"],
    ["not_in", ["w", 7], (text) => text !== "w" && text !== "7"],
    ["contains", "v", (text) => text.includes("v")],
    ["not_contains", "v", (text) => !text.includes("v")],
    ["starts_with", "w", (text) => text.startsWith("w")],
  ];
  for (const key of hardKeys)
    test(`reach the key ${JSON.stringify(key)}`, async () => {
      for (const [op, value, accepts] of operators)
        expect(await countOf([{ field: `properties.${key}`, op, value }]), op).toBe(
          events.filter((event) => accepts(propertyOf(event, key))).length,
        );
    });

  for (const [key, op, value, accepts] of [
    ["plan", "eq", "10", (text) => text === "10"],
    ["plan", "eq", "", (text) => text === ""],
    ["plan", "contains", "%", (text) => text.includes("%")],
    ["amount", "eq", 9.5, (text) => text === "9.5"],
    ["amount", "in", [5, 1e21, -3], (text) => ["5", "1e+21", "-3"].includes(text)],
    ["trial", "eq", "true", (text) => text === "true"],
    ["note", "eq", "", (text) => text === ""],
    ["nested", "starts_with", '{"a":[1', (text) => text.startsWith('{"a":[1')],
    ["missing", "ne", "x", () => true],
  ] as [string, string, JsonValue, (text: string) => boolean][])
    test(`${key} ${op} ${JSON.stringify(value)}`, async () => {
      expect(await countOf([{ field: `properties.${key}`, op, value }])).toBe(
        events.filter((event) => accepts(propertyOf(event, key))).length,
      );
    });

  test("filter sessions as well, and keys that cannot be addressed are refused", async () => {
    const [row] = await ask("session_metrics", [{ field: "properties.plan", op: "eq", value: "team" }]);
    expect(Number(row?.["total_sessions"])).toBeGreaterThan(0);
    const refused = (field: string) => ask("events", [{ field, op: "eq", value: "x" }]);
    await expect(refused("properties.a]b.c")).rejects.toThrow(/a \. or \[ follows a \].*simpler key/);
    await expect(refused("properties.")).rejects.toThrow("names no property. Write properties.<key>");
    await expect(refused("properties.a\u0000b")).rejects.toThrow("U+0000");
    await expect(refused("property.a")).rejects.toThrow(/is not permitted for events. Use one of: .*properties\.<key>/);
    await expect(ask("vitals_overview", [{ field: "properties.a", op: "eq", value: "x" }])).rejects.toThrow(
      "is not permitted",
    );
  });
});

type Counted = { event: string; key: string; values: Map<string, number>; total: number };

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function counted(chosen: readonly Event[] = events): Counted[] {
  const all = new Map<string, Counted>();
  for (const { name, properties } of chosen)
    for (const [key, value] of Object.entries(properties ?? {})) {
      if (value === null) continue;
      const place = JSON.stringify([name, key]);
      const one = all.get(place) ?? { event: name, key, values: new Map(), total: 0 };
      all.set(place, one);
      one.total += 1;
      one.values.set(textOf(value), (one.values.get(textOf(value)) ?? 0) + 1);
    }
  return [...all.values()].sort((a, b) => b.total - a.total || byText(a.event, b.event) || byText(a.key, b.key));
}

const frequent = ({ values }: Counted) => [...values].sort(([a, m], [b, n]) => n - m || byText(a, b));
const percent = (part: number, whole: number) => Math.round((10_000 * part) / whole) / 100;

describe("A1 properties of custom events", () => {
  test("custom_event_properties, in pages and by property_key", async () => {
    const wanted = counted()
      .flatMap((one) =>
        frequent(one).map(([value, count]) => ({
          name: one.event,
          property_key: one.key,
          property_value: value,
          count,
        })),
      )
      .sort(
        (a, b) =>
          b.count - a.count ||
          byText(a.name, b.name) ||
          byText(a.property_key, b.property_key) ||
          byText(a.property_value, b.property_value),
      );
    expect(await ask("custom_event_properties")).toEqual(wanted);
    expect(await ask("custom_event_properties", [], { limit: 7, page: 3 })).toEqual(wanted.slice(14, 21));
    expect(await ask("custom_event_properties", [{ field: "property_key", op: "in", value: ["plan", "a.b"] }])).toEqual(
      wanted.filter(({ property_key: key }) => key === "plan" || key === "a.b"),
    );
    expect(await ask("custom_event_properties", [{ field: "property_key", op: "not_contains", value: "a" }])).toEqual(
      wanted.filter(({ property_key: key }) => !key.includes("a")),
    );
  });

  test("only of the filtered events", async () => {
    const filters = [
      { field: "event_name", op: "eq", value: "buy" },
      { field: "properties.plan", op: "eq", value: "pro" },
    ];
    const chosen = events.filter((event) => event.name === "buy" && propertyOf(event, "plan") === "pro");
    expect(await ask("custom_events_property_cardinality", filters)).toEqual(
      counted(chosen).map(({ event, key, values, total }) => ({
        event_name: event,
        property_key: key,
        unique_values: values.size,
        occurrences: total,
      })),
    );
  });

  test("custom_events_property_top_values and custom_events_property_distribution", async () => {
    const rows = counted().flatMap((one) =>
      frequent(one).map(([value, count], index) => ({
        event_name: one.event,
        property_key: one.key,
        property_value: value,
        count,
        total: one.total,
        percentage: percent(count, one.total),
        rank: index + 1,
        cardinality: one.values.size,
      })),
    );
    expect(await ask("custom_events_property_top_values")).toEqual(
      rows.filter(({ rank }) => rank <= 10).map(({ cardinality: _, ...row }) => row),
    );
    expect(await ask("custom_events_property_distribution")).toEqual(rows.map(({ rank: _, ...row }) => row));
  });

  test("custom_events_property_classification", async () => {
    const rows = await ask("custom_events_property_classification");
    const kinds = new Map(rows.map((row) => [`${row["event_name"]} ${row["property_key"]}`, row]));
    for (const one of counted()) {
      const row = kinds.get(`${one.event} ${one.key}`);
      const lengths = [...one.values].map(([value, count]) => ({ length: value.length, count }));
      const sum = lengths.reduce((all, { length, count }) => all + length * count, 0);
      expect(row).toMatchObject({
        cardinality: one.values.size,
        total_count: one.total,
        coverage_ratio: Math.round((100 * one.total) / events.filter(({ name }) => name === one.event).length) / 100,
        avg_length: Math.round((100 * sum) / one.total) / 100,
        max_length: Math.max(...lengths.map(({ length }) => length)),
        sample_values: frequent(one)
          .slice(0, 5)
          .map(([value]) => value),
      });
    }
    expect(kinds.get("buy amount")).toMatchObject({
      is_numeric: true,
      inferred_type: "number",
      render_strategy: "top_n_chart",
    });
    expect(kinds.get("buy trial")).toMatchObject({
      is_boolean: true,
      inferred_type: "boolean",
      render_strategy: "distribution_bar",
    });
    expect(kinds.get("buy day")).toMatchObject({ is_date_like: true, inferred_type: "date" });
    expect(kinds.get("buy link")).toMatchObject({ is_url_like: true, inferred_type: "url" });
    expect(kinds.get("buy nested")).toMatchObject({ inferred_type: "object" });
    expect(kinds.get("buy plan")).toMatchObject({ is_numeric: false, is_date_like: false, inferred_type: "string" });
  });

  test("custom_events_discovery", async () => {
    const totals = [...Map.groupBy(events, ({ name }) => name)].map(([name, all]) => ({
      name,
      events: all.length,
      visitors: new Set(all.map(({ visitor }) => visitor)).size,
    }));
    totals.sort((a, b) => b.events - a.events);
    const rows = await ask("custom_events_discovery");
    expect(rows.map(({ unique_sessions: _, ...row }) => row)).toEqual(
      totals.flatMap((event) =>
        counted()
          .filter((one) => one.event === event.name)
          .map((one) => ({
            event_name: event.name,
            total_events: event.events,
            unique_users: event.visitors,
            property_key: one.key,
            unique_values: one.values.size,
            top_values: frequent(one)
              .slice(0, 5)
              .map(([value, count]) => ({ value, count })),
          })),
      ),
    );
    const [names] = await ask("custom_events", [{ field: "event_name", op: "eq", value: totals[0]?.name ?? "" }]);
    expect(rows[0]?.["unique_sessions"]).toBe(names?.["unique_sessions"]);
  });

  test("custom_events_recent and custom_events_trends_by_event", async () => {
    const rows = await ask("custom_events_recent", [], { limit: 5 });
    expect(rows).toEqual(
      events
        .toReversed()
        .slice(0, 5)
        .map(({ name, visitor, properties, tsMs }) => ({
          event_name: name,
          namespace: null,
          path: visitor % 2 ? "/a" : "/b",
          source: null,
          properties,
          anonymous_id: `v${visitor}`,
          session_id: `s${visitor}`,
          timestamp: new Date(tsMs).toISOString(),
        })),
    );
    const trends = await ask("custom_events_trends_by_event");
    const days = ["2026-05-01", "2026-05-02", "2026-05-03"];
    const day = ({ tsMs }: Event) => new Date(tsMs).toISOString().slice(0, 10);
    expect(trends).toEqual(
      days.flatMap((date) =>
        ["buy", "it's", "sign_up"].map((name) => ({
          date,
          event_name: name,
          total_events: events.filter((event) => event.name === name && day(event) === date).length,
        })),
      ),
    );
  });

  test("more values than one answer can count are refused, and counted when filtered", async () => {
    const crowded = (filters: RowsQuery["filters"] = []) =>
      askRows(reader, crowdedWebsiteId, { type: "custom_events_property_cardinality", ...range, filters });
    await expect(crowded()).rejects.toThrow(
      /more than 200000 different property values.*Filter on event_name or property_key/,
    );
    expect(await crowded([{ field: "property_key", op: "eq", value: "k7" }])).toEqual([
      { event_name: "crowd", property_key: "k7", unique_values: 101, occurrences: 101 },
    ]);
  });
});
