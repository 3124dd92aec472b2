import { randomUUID } from "node:crypto";
import { create, fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { CompileQuerySchema, QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import type { QueryType } from "../../../src/query/catalogue/queryType.ts";
import { planCompile } from "../../../src/query/plan/planCompile.ts";
import type { BoundValue, QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { sampleEvents, sampleLinks } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { startOwnServer } from "../../kit/stack/ownServer.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { markTouched } from "../../kit/stores/markTouched.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

const seed = 20_260_302;
const firstMs = Date.UTC(2026, 2, 20);
const zone = "Europe/Berlin";

let reader: QuestdbReader;
let website: TestWebsite;

beforeAll(async () => {
  reader = openQuestdb();
  // Some types have days of the website's own time zone.
  website = await createWebsite({ timezone: zone });
  // The compiled statements know nothing of times past the retention or before what is counted, which are null in answers.
  await inDatabase((database) =>
    database.query(
      "UPDATE websites SET raw_events_days = 3650, performance_days = 3650, excluded_from = '2026-01-01' WHERE id = $1",
      [website.websiteId],
    ),
  );
  const events = sampleEvents(seededRandom(seed), 200, firstMs, 20 * 86_400_000);
  const links = sampleLinks(seededRandom(seed + 1), events);
  await markTouched(
    website.websiteId,
    events.map(({ tsMs }) => tsMs),
  );
  await insertRows(reader, "events", events, website.websiteId);
  await insertRows(reader, "outgoing_links", links, website.websiteId);
  for (const [table, count] of [
    ["events", events.length],
    ["outgoing_links", links.length],
  ] as const)
    await vi.waitFor(async () => expect(await countRows(reader, table, website.websiteId)).toBe(count), {
      timeout: 100_000,
    });
});

afterAll(() => reader.close());

const range = { from: "2026-03-21", to: "2026-04-05" };

type Compiled = {
  sql: string;
  params: BoundValue[];
  statements: { sql: string; params: BoundValue[]; columns: { name: string; fields: string[] }[] }[];
  buckets: string[];
};

function post(body: JsonObject, websiteId: string | null = website.websiteId) {
  const query = websiteId === null ? "" : `&website_id=${websiteId}`;
  return send("POST", `/v1/query/compile?timezone=${zone}${query}`, { body, apiKey: website.apiKey });
}

async function compile(body: JsonObject): Promise<Compiled> {
  const { status, body: answer } = await post(body);
  expect(answer).toMatchObject({ success: true, requestId: expect.any(String), sql: expect.any(String) });
  expect(status).toBe(200);
  // Checked by the lines above.
  return answer as Compiled;
}

/** What POST /v1/query answers. */
async function query(name: string, more: JsonObject = {}): Promise<JsonValue> {
  const body = { parameters: [name], startDate: range.from, endDate: range.to, ...more };
  const path = `/v1/query?website_id=${website.websiteId}&timezone=${zone}`;
  const answer = await send("POST", path, { body, apiKey: website.apiKey });
  expect(answer.body).toMatchObject({ data: [{ success: true }] });
  // Checked by the line above.
  return (answer.body as { data: { data: JsonValue }[] }).data[0]?.data ?? null;
}

/** Without the times (Unix ms and µs) in a statement: those of types that answer for the last minutes move on. */
const withoutTimes = (sql: string) => sql.replaceAll(/\b1[78]\d{11}(\d{3})?\b/g, "…");

describe("4.4 the compiled SQL answers the type: run and shaped, it equals /v1/query", () => {
  // What depends on the website's goals is refused; since when a website has events is in no event.
  const isCompiled = ({ requiredFilter, shape }: QueryType) =>
    requiredFilter === undefined && shape.kind !== "goal_conversions" && shape.kind !== "websites_today";
  for (const type of [...catalogue.values()].filter(isCompiled))
    test(type.name, async () => {
      const filters: JsonValue[] = type.table === "events" ? [{ field: "path", op: "ne", value: "/a_b" }] : [];
      const request = { type: type.name, ...range, filters };
      const shaped = async () => {
        const { statements } = await compile(request);
        const { work } = planCompile(fromJson(CompileQuerySchema, request), zone, Date.now());
        const waiting = [...statements];
        const printed = (sql: string, values: readonly BoundValue[]) => {
          const next = waiting.shift();
          if (next !== undefined) expect(withoutTimes(sql)).toBe(withoutTimes(next.sql));
          return next?.params ?? values;
        };
        // While it has most of the events of all websites, its rows are found by a full scan.
        const eventShare = statements.some(({ sql }) => sql.includes(" OR website_id = ")) ? 1 : 0;
        const rows = await runParameter(
          { ...work, websiteIds: [website.websiteId], eventShare },
          {
            read: (text, values) => reader.read(text, printed(text, values)),
            readEach: (text, values, take) => reader.readEach(text, printed(text, values), take),
          },
        );
        expect(waiting).toEqual([]);
        return rows;
      };
      // Some types answer for the minutes up to now, which may end between the two calls.
      await vi.waitFor(async () => expect(await shaped()).toEqual(await query(type.name, { filters })), {
        timeout: 100_000,
      });
      const { statements, sql, params } = await compile(request);
      expect(params).toEqual(statements.flatMap((one) => one.params));
      expect([...sql.matchAll(/\$(\d+)/g)].every(([, number]) => Number(number) <= params.length)).toBe(true);
      if (statements.length === 1) expect(sql).toBe(statements[0]?.sql);
    });
});

describe("4.4 POST /v1/query/compile", () => {
  test("describes the columns, and groups, orders and limits as requested", async () => {
    const request = {
      type: "page_views",
      ...range,
      groupBy: ["browser", "country"],
      orderBy: "-country",
      limit: 5,
      offset: 1,
    };
    const { sql, params, statements } = await compile(request);
    expect(statements).toMatchObject([
      {
        sql,
        params,
        columns: [
          { name: "k0", fields: ["browser_name"] },
          { name: "k1", fields: ["country"] },
          { name: "m0", fields: ["value"] },
        ],
      },
    ]);
    const all = await reader.read(
      (await compile({ ...request, limit: 100, offset: 0 })).sql,
      params.with(-1, 101).with(-2, 0),
    );
    const rows = await reader.read(sql, params);
    expect(rows).toHaveLength(5);
    expect(rows).toEqual(all.slice(1, 6));
    expect(all.map((row) => row["k1"])).toEqual(
      all
        .map((row) => String(row["k1"]))
        .sort()
        .reverse(),
    );
    expect(new Set(all.map((row) => row["k0"]))).toEqual(new Set(["Chrome", "Firefox", "Safari", "Unknown"]));
  });
  test("orders a table by the named field", async () => {
    const { sql, params } = await compile({ type: "pages", ...range, orderBy: "visitors" });
    const visitors = (await reader.read(sql, params)).map((row) => Number(row["m1"]));
    expect(visitors.length).toBeGreaterThan(3);
    expect(visitors).toEqual(visitors.toSorted((a, b) => a - b));
  });
  test("buckets of weeks and months add up to those of days", async () => {
    const days = await query("page_views", { limit: 100 });
    const perDay = new Map((days as { date: string; value: number }[]).map(({ date, value }) => [date, value]));
    for (const [timeUnit, labels] of [
      ["week", ["2026-03-16", "2026-03-23", "2026-03-30"]],
      ["month", ["2026-03-01", "2026-04-01"]],
    ] as const) {
      const { sql, params, buckets } = await compile({ type: "page_views", ...range, timeUnit });
      expect(buckets).toEqual(labels);
      const rows = await reader.read(sql, params);
      const sums = labels.map((label, index) => {
        const next = labels[index + 1] ?? "9999";
        return [...perDay].reduce((sum, [date, value]) => (date >= label && date < next ? sum + value : sum), 0);
      });
      expect(rows.sort((a, b) => Number(a["k0"]) - Number(b["k0"])).map((row) => row["m0"])).toEqual(sums);
    }
  });
  test("a page of a series is a page of its buckets", async () => {
    const { sql, params } = await compile({ type: "page_views", ...range, limit: 3, offset: 2 });
    const rows = await reader.read(sql, params);
    const answered = (await query("page_views", { limit: 1_000 })) as { value: number }[];
    expect(rows.map((row) => row["m0"])).toEqual(answered.slice(2, 5).map(({ value }) => value));
  });
  test("accepts the caller's own websites only, and the website may be named in the body", async () => {
    const { body } = await post({ type: "pages", projectId: website.websiteId, ...range }, null);
    expect(body).toMatchObject({ params: expect.arrayContaining([website.websiteId]) });
    const { websiteId } = await createWebsite();
    for (const id of [websiteId, randomUUID(), "x' OR '1'='1"])
      expect(await post({ type: "pages", ...range }, id)).toMatchObject({
        status: 403,
        body: { code: "ACCESS_DENIED" },
      });
    expect(await post({ type: "pages", ...range }, null)).toMatchObject({
      status: 400,
      body: { code: "MISSING_WEBSITE_ID" },
    });
  });
  test("shows the dashboard types of a public website to keys of others", async () => {
    const { websiteId } = await createWebsite({ publicAccess: true });
    expect(await post({ type: "pages", ...range }, websiteId)).toMatchObject({ status: 200 });
    expect(await post({ type: "events", ...range }, websiteId)).toMatchObject({ status: 403 });
  });
  test("reads nothing from the event store", async () => {
    const { handlers } = await import("../../../src/main/handlers.ts");
    // Port 1 is reserved (tcpmux), and nothing listens there.
    const server = await startOwnServer(handlers, { QUESTDB_PG: "postgres://admin:quest@127.0.0.1:1/qdb" });
    const path = `/v1/query/compile?website_id=${website.websiteId}`;
    const body = { type: "pages", ...range };
    expect(await send("POST", path, { body, apiKey: website.apiKey, baseUrl: server.baseUrl })).toMatchObject({
      status: 200,
    });
    await server.close();
  });
  test("an unknown type is UNKNOWN_QUERY_TYPE with the nearest name", async () => {
    expect(await post({ type: "page_veiws", ...range })).toMatchObject({
      status: 400,
      body: { code: "UNKNOWN_QUERY_TYPE", details: [{ field: "type", suggestion: "page_views" }] },
    });
  });
  for (const [field, more, suggestion] of [
    ["from", { from: "soon" }],
    ["to", { to: "2026-03-01" }],
    ["timeUnit", { timeUnit: "weak" }, "week"],
    ["timeUnit", { timeUnit: "hour", to: "2026-06-01" }],
    ["filters[0].field", { filters: [{ field: "flavour", op: "eq", value: "x" }] }],
    ["filters[0].value", { filters: [{ field: "path", op: "eq", value: [] }] }],
    ["groupBy[0]", { groupBy: ["contry"] }, "country"],
    ["orderBy", { orderBy: "-vews" }, "views"],
    ["groupBy", { type: "summary_metrics", groupBy: ["path"] }],
  ] as [string, JsonObject, string?][])
    test(`COMPILATION_ERROR names ${field} of ${JSON.stringify(more)}`, async () => {
      const { status, body } = await post({ type: "pages", ...range, ...more });
      expect(status).toBe(400);
      const detail = { field, message: expect.any(String), ...(suggestion === undefined ? {} : { suggestion }) };
      expect(body).toMatchObject({ code: "COMPILATION_ERROR", details: [detail] });
    });
  test("gRPC answers the same", async () => {
    const client = createClient(QueryService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
    const headers = { authorization: `Bearer ${website.apiKey}` };
    const request = {
      websiteId: website.websiteId,
      timezone: zone,
      query: create(CompileQuerySchema, { type: "pages", ...range }),
    };
    const { sql } = await compile({ type: "pages", ...range });
    expect(await client.compileQuery(request, { headers })).toMatchObject({ success: true, sql });
    const unknown = { ...request, query: create(CompileQuerySchema, { type: "x", ...range }) };
    expect(await client.compileQuery(unknown, { headers }).catch(ConnectError.from)).toMatchObject({
      code: Code.InvalidArgument,
    });
  });
});
