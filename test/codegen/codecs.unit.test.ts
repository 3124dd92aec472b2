import { expect, test } from "vitest";
import type { Violation } from "../../src/gen/lookout/codecs.js";
import { codecs } from "../../src/gen/lookout/codecs.js";
import type { AnyCodec } from "./fuzz.ts";

const track = {
  name: "screen_view",
  anonymousId: "a",
  sessionId: "s",
  sessionStartTime: 1736899200000,
  timestamp: 1736899260123,
  path: "/",
  title: "",
  referrer: "",
  screen_resolution: "1920x1080",
  viewport_size: "1440x900",
  timezone: "UTC",
  language: "en",
};

test("6: an event is {type, payload}", () => {
  const { message, violations } = read("lookout.v1.Event", { type: "track", payload: track });
  expect(violations).toEqual([]);
  expect(message).toMatchObject({
    $typeName: "lookout.v1.Event",
    payload: { case: "track", value: { $typeName: "lookout.v1.TrackPayload", name: "screen_view", title: "" } },
  });
  expect(
    JSON.parse(codecs["lookout.v1.Event"].write({ payload: { case: "track", value: track as object } })),
  ).toMatchObject({ type: "track", payload: { path: "/" } });
});

test("6: an event without a payload is read flat, all of it, its type too", () => {
  const { message, violations } = read("lookout.v1.Event", {
    type: "outgoing_link",
    href: "https://example.org",
    timestamp: 1736899260123,
    unknown: 1,
  });
  expect(violations).toEqual([]);
  expect(message).toMatchObject({
    payload: { case: "flat", value: { type: "outgoing_link", href: "https://example.org" } },
  });
  expect(JSON.parse(codecs["lookout.v1.Event"].write({ payload: { case: "flat", value: { href: "x" } } }))).toEqual({
    type: "",
    href: "x",
  });
  expect(faults("lookout.v1.Event", { type: "other" })).toEqual(["type must be one of track, outgoing_link"]);
  expect(faults("lookout.v1.Event", { type: "track", payload: null, name: "x" })).toEqual([]);
});

test("6: an event of an unknown type is refused with the list of types", () => {
  const { violations } = read("lookout.v1.Event", { type: "trak", payload: {} });
  expect(violations).toEqual([
    {
      field: "type",
      message: "must be one of track, outgoing_link",
      rule: "oneof",
      value: "trak",
      allowed: ["track", "outgoing_link"],
    },
  ]);
  expect(faults("lookout.v1.Event", { payload: track })).toEqual(["type is required, one of track, outgoing_link"]);
  expect(faults("lookout.v1.Event", { type: "flat", payload: {} })).toEqual([
    "type must be one of track, outgoing_link",
  ]);
});

test("6: every broken rule of a payload is reported at once, with its path", () => {
  const { path: _, ...rest } = track;
  expect(
    faults("lookout.v1.Event", {
      type: "track",
      payload: {
        ...rest,
        name: "",
        timestamp: "now",
        screen_resolution: "big",
        connection_type: "5g",
        scroll_depth: 101,
        page_count: 1.5,
      },
    }),
  ).toEqual([
    "payload.name is required",
    "payload.timestamp must be a number",
    "payload.path is required",
    "payload.screen_resolution must be a width and a height in pixels, such as 1920x1080",
    "payload.connection_type must be one of wifi, cellular, ethernet, unknown",
    "payload.scroll_depth must be a number from 0 to 100",
    "payload.page_count must be a whole number of at least 0",
  ]);
});

test("8: lengths are counted in code points", () => {
  expect(faults("lookout.v1.Event", { type: "track", payload: { ...track, name: "😀".repeat(256) } })).toEqual([]);
  expect(faults("lookout.v1.Event", { type: "track", payload: { ...track, name: "😀".repeat(257) } })).toEqual([
    "payload.name must be at most 256 characters",
  ]);
});

test("4.20: the items of a batch are read as sent, and only the list is validated", () => {
  const events = [1, null, { type: "track" }];
  expect(read("lookout.v1.BatchRequest", { website_id: "w", events }).message).toMatchObject({
    websiteId: "w",
    clientId: "",
    events,
  });
  expect(Reflect.get(read("lookout.v1.BatchRequest", { events }).message ?? {}, "events")).toBe(events);
  expect(faults("lookout.v1.BatchRequest", { events: Array.from({ length: 101 }) })).toEqual([
    "events must have at most 100 items",
  ]);
  expect(faults("lookout.v1.BatchRequest", { events: {} })).toEqual(["events must be an array"]);
});

test("4.1: a parameter is a name or an object", () => {
  const { message } = read("lookout.v1.Query", { parameters: ["pages", { name: "countries", id: "c" }] });
  expect(message).toMatchObject({ parameters: [{ name: "pages" }, { name: "countries", id: "c" }], limit: undefined });
  expect(faults("lookout.v1.Query", { parameters: ["", 5, {}] })).toEqual([
    "parameters[0].name is required",
    "parameters[1] must be a string or an object",
    "parameters[2].name is required",
  ]);
  expect(faults("lookout.v1.Query", {})).toEqual(["parameters must have at least 1 item"]);
});

test("4.1: an operator is read as op or operator, the first that is not null", () => {
  for (const filter of [{ op: "eq" }, { operator: "eq" }, { op: null, operator: "eq" }])
    expect(read("lookout.v1.QueryFilter", { field: "path", value: "/", ...filter }).message).toMatchObject({
      op: "eq",
    });
  const { violations } = read("lookout.v1.QueryFilter", { field: "path", value: "/", operator: "equals" });
  expect(violations).toMatchObject([
    {
      field: "op",
      rule: "string.in",
      value: "equals",
      allowed: [
        "eq",
        "ne",
        "contains",
        "not_contains",
        "starts_with",
        "ends_with",
        "matches",
        "in",
        "not_in",
        "is_empty",
        "is_not_empty",
        "is empty",
        "is not empty",
      ],
    },
  ]);
});

test("json_name and proto name are both read", () => {
  expect(
    read("lookout.v1.CreateMonitorRequest", {
      website_id: "w",
      url: "https://example.org",
      interval: "5m",
      cache_bust: true,
    }).message,
  ).toMatchObject({ websiteId: "w", cacheBust: true });
  expect(
    read("lookout.v1.Query", { parameters: ["x"], start_date: "2024-01-01", endDate: "2024-01-02" }).message,
  ).toMatchObject({ startDate: "2024-01-01", endDate: "2024-01-02" });
});

test("an explicit null is absent", () => {
  expect(faults("lookout.v1.Query", { parameters: ["x"], id: null, preset: null, filters: null, limit: null })).toEqual(
    [],
  );
  expect(faults("lookout.v1.QueryFilter", { field: null, op: "eq", value: null })).toEqual(["field is required"]);
  expect(faults("lookout.v1.QueryRequest", { query: null, queries: [null] })).toEqual(["queries[0] must be an object"]);
});

test("8: numbers are JSON numbers, whole where the contract says so, and finite", () => {
  for (const limit of [1, 10000, 5.0]) expect(faults("lookout.v1.Query", { parameters: ["x"], limit })).toEqual([]);
  for (const limit of [0, 10001])
    expect(faults("lookout.v1.Query", { parameters: ["x"], limit })).toEqual([
      "limit must be a whole number from 1 to 10000",
    ]);
  for (const limit of ["5", 1.5, true, JSON.parse("1e999"), -1])
    expect(faults("lookout.v1.Query", { parameters: ["x"], limit })).toHaveLength(1);
  expect(faults("lookout.v1.FlatEvent", { rtt: JSON.parse("1e999") })).toEqual(["rtt must be a number"]);
});

test("an unknown member is refused by name, with the nearest known name; trackers may send any", () => {
  const days = { dateFrom: "2026-01-01", dateTo: "2026-01-02" };
  const request = { websiteId: "w", metric: "clicks", ...days, filters: { slug: "x", linkSlug: "y" } };
  const { violations } = read("lookout.v1.QueryLinkAnalyticsRequest", request);
  expect(violations).toMatchObject([
    { field: "filters.slug", message: "is unknown", value: "slug", allowed: expect.arrayContaining(["linkSlug"]) },
  ]);
  expect(faults("lookout.v1.Query", { parameters: ["x", { name: "y", granularty: null }], startDat: "" })).toEqual([
    "startDat is unknown",
    "parameters[1].granularty is unknown",
  ]);
  expect(faults("lookout.v1.Query", JSON.parse('{"parameters":["x"],"__proto__":1,"constructor":1}'))).toEqual([
    "__proto__ is unknown",
    "constructor is unknown",
  ]);
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${"x".repeat(1_000)}${at}`, at]));
  expect(faults("lookout.v1.Query", { parameters: ["x"], ...many })).toHaveLength(10);
  expect(faults("lookout.v1.FlatEvent", { name: "x", gclid: "y", plan: { free: true } })).toEqual([]);
});

test("two names of one field with different values are refused, and the same value twice is not", () => {
  const filter = (more: object) => ({ parameters: ["x"], filters: [{ field: "path", op: "eq", value: "/", ...more }] });
  expect(faults("lookout.v1.Query", filter({ operator: "ne" }))).toEqual([
    "filters[0].operator differs from op, another name of the same field. Send one of them",
  ]);
  expect(faults("lookout.v1.Query", filter({ operator: "eq" }))).toEqual([]);
  expect(faults("lookout.v1.Query", filter({ operator: null }))).toEqual([]);
  expect(faults("lookout.v1.Query", { parameters: ["x"], startDate: "2026-01-01", start_date: "2026-01-02" })).toEqual([
    "start_date differs from startDate, another name of the same field. Send one of them",
  ]);
  const window = { websiteId: "w", title: "t", startsAt: "x", endsAt: "y", monitorIds: ["a"] };
  const wrong = (monitor_ids: string[]) =>
    faults("lookout.v1.CreateMaintenanceWindowRequest", { ...window, monitor_ids });
  expect(wrong(["a"])).toEqual([]);
  expect(wrong(["b"])).toEqual([
    "monitor_ids differs from monitorIds, another name of the same field. Send one of them",
  ]);
});

test("U+0000 is refused in every text, free JSON and keys included; trackers may send it", () => {
  const nul = "must not hold the character U+0000";
  expect(faults("lookout.v1.Query", { parameters: ["a\u0000"], id: "\u0000" })).toEqual([
    `id ${nul}`,
    `parameters[0].name ${nul}`,
  ]);
  for (const value of ["\u0000", ["a", "b\u0000"], { "\u0000": 1 }])
    expect(faults("lookout.v1.QueryFilter", { field: "path", op: "eq", value })).toEqual([`value ${nul}`]);
  expect(faults("lookout.v1.TrackPayload", { ...track, title: "\u0000", properties: { a: "\u0000" } })).toEqual([]);
  const violations: Violation[] = [];
  const value = { kind: { case: "stringValue" as const, value: "a\u0000" } };
  (codecs["lookout.v1.QueryFilter"] as AnyCodec).check({ field: "path\u0000", op: "eq", value }, violations);
  expect(violations.map(({ field, message }) => `${field} ${message}`)).toEqual([`field ${nul}`, `value ${nul}`]);
});

test("free JSON is kept as it is, within bounds", () => {
  const properties = { a: [1, { b: null }], ["__proto__"]: 1 };
  const payload = { ...track, properties };
  expect(Reflect.get(read("lookout.v1.TrackPayload", payload).message ?? {}, "properties")).toBe(properties);
  expect(faults("lookout.v1.TrackPayload", { ...track, properties: [] })).toEqual(["properties must be an object"]);
  expect(faults("lookout.v1.TrackPayload", { ...track, properties: JSON.parse('{"a":1e999}') })).toEqual([
    "properties must not hold a number that is too large",
  ]);
  const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`);
  expect(faults("lookout.v1.TrackPayload", { ...track, properties: deep })).toEqual([
    "properties must not be nested deeper than 90 levels",
  ]);
});

test("a body with a thousand mistakes gets a short answer", () => {
  expect(
    faults("lookout.v1.CreateApiKeyRequest", {
      name: "x",
      scopes: [],
      websiteIds: Array.from({ length: 100 }, () => 1),
    }).length,
  ).toBeLessThan(120);
  expect(faults("lookout.v1.Query", { parameters: Array.from({ length: 100_000 }, () => 1) })).toEqual([
    "parameters must have at most 50 items",
  ]);
});

test("2: an answer writes null if the contract says so, omits other unset fields, and does not copy rows", () => {
  const rows = [{ path: "/", views: 1 }];
  const codec = codecs["lookout.v1.ParameterResult"];
  expect(JSON.parse(codec.write({ parameter: "pages", success: true, data: rows }))).toEqual({
    parameter: "pages",
    success: true,
    data: rows,
    error: null,
  });
  expect(codec.object({ data: rows })["data"]).toBe(rows);
  expect(JSON.parse(codecs["lookout.v1.EventResult"].write({ status: "error", message: "" }))).toEqual({
    status: "error",
    message: "",
  });
});

function read(name: keyof typeof codecs, json: unknown): { message: object | undefined; violations: Violation[] } {
  const codec: AnyCodec = codecs[name] as AnyCodec;
  const violations: Violation[] = [];
  const message = codec.parse(json, violations);
  expect(message === undefined).toBe(violations.length > 0);
  return { message, violations };
}

function faults(name: keyof typeof codecs, json: unknown): string[] {
  return read(name, json).violations.map(({ field, message }) => `${field} ${message}`);
}
