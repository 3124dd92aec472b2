import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { correctDay } from "../../../src/aggregation/correctTouchedDays.ts";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { aggregates } from "../../../src/query/custom/aggregates.ts";
import { customTables } from "../../../src/query/custom/tables.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import type { RowWriter } from "../../../src/store/write/rowWriter.ts";
import { dayMs, utcDayOf } from "../../../src/time/utcDay.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type DataRow, dataRange, dataSet, dataTables } from "../../kit/oracle/dataSet.ts";
import { insertData } from "../../kit/oracle/insertData.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { sized } from "../../kit/random/sized.ts";
import { countRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb, openRowWriter } from "../../kit/stores/testQuestdb.ts";

const seed = 20_260_305;
const rounds = sized(60, 150);
/** In every text of the other tenant. */
const mark = "tenantb";

const data = dataSet(seed);
let own: TestWebsite;
let other: TestWebsite;
let reader: QuestdbReader;
let writer: Pick<RowWriter, "write" | "close">;
const { signal } = new AbortController();

/** The first rows of each table: enough to query, quick to store. */
function rowsFor(table: (typeof dataTables)[number]): readonly DataRow[] {
  return data[table].slice(0, 600);
}

/** The same rows with marked texts; the kind of event is kept, else no query would count it. */
function marked(row: DataRow): DataRow {
  const kept = new Set(["event_type", "metric_type", "properties"]);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" && !kept.has(name) ? `${mark}${value}` : value,
    ]),
  );
}

async function store(website: TestWebsite, change: (row: DataRow) => DataRow): Promise<void> {
  for (const table of dataTables) {
    const rows = rowsFor(table).map(change);
    await insertData(reader, table, rows, website.websiteId);
    const isStored = async () => expect(await countRows(reader, table, website.websiteId)).toBe(rows.length);
    await vi.waitFor(isStored, { timeout: 200_000 });
  }
  // Else the service may do this between the answers that are compared: on a new database it corrects all days once.
  for (let day = 0; day < dataRange.days; day += 1) {
    const date = utcDayOf(dataRange.fromMs + day * dayMs);
    await correctDay({ questdb: reader, rows: writer }, website.websiteId, date, signal);
  }
}

beforeAll(async () => {
  reader = openQuestdb();
  writer = openRowWriter();
  [own, other] = [await createWebsite(), await createWebsite()];
  await store(own, (row) => row);
}, 600_000);

afterAll(async () => {
  await writer.close();
  await reader.close();
});

type Ask = { readonly path: string; readonly body: JsonObject };

const days = () => ({ startDate: "2026-03-01", endDate: "2026-03-30" });
const steadyTypes = [...catalogue.values()].filter(({ period }) => period === undefined);

function randomQuery(random: () => number): Ask {
  const values = ["/", "DE", "Chrome", `${mark}/`, mark, "Unknown", "s1", `${mark}s1`];
  const op = pick(random, ["eq", "ne", "contains", "not_contains", "starts_with", "in", "not_in"]);
  const field = pick(random, ["path", "path", "session_id", "country", "anonymous_id", "properties.plan"]);
  const parameters = Array.from({ length: 3 }, () => pick(random, steadyTypes).name);
  const filters: JsonValue[] = random() < 0.7 ? [{ field, op, value: pick(random, values) }] : [];
  const project = random() < 0.8 ? `website_id=${own.websiteId}` : `organization_id=${own.organizationId}`;
  return { path: `/v1/query?${project}`, body: { parameters, ...days(), filters, limit: 1_000 } };
}

function randomCustom(random: () => number): Ask {
  const table = pick(random, [...customTables.values()]);
  const columns = [...table.columns.values()];
  const column = pick(random, columns);
  const usable = [...aggregates].filter(([, { kinds }]) => kinds.includes(column.kind)).map(([name]) => name);
  const text = columns.filter(({ kind }) => kind === "text");
  const select = random() < 0.6 ? { field: column.name, aggregate: pick(random, usable), alias: "a" } : undefined;
  const filters: JsonValue[] = [];
  if (random() < 0.5)
    filters.push({
      field: pick(random, text).name,
      operator: pick(random, ["ne", "not_contains", "contains"]),
      value: mark,
    });
  if (random() < 0.3) filters.push({ field: "website_id", operator: "in", value: [own.websiteId, other.websiteId] });
  if (random() < 0.2) filters.push({ field: "website_id", operator: "ne", value: own.websiteId });
  const groupBy = select !== undefined && random() < 0.7 ? [pick(random, text).name] : [];
  const query = { table: table.name, selects: [select ?? { field: column.name, alias: "a" }], filters, groupBy };
  return { path: `/v1/query/custom?website_id=${own.websiteId}`, body: { query, ...days(), limit: 10_000 } };
}

function randomCompile(random: () => number): Ask {
  const { name } = pick(random, steadyTypes);
  return {
    path: `/v1/query/compile?website_id=${own.websiteId}`,
    body: { type: name, from: "2026-03-01", to: "2026-03-30" },
  };
}

/** The answer without members that differ each time; rows of other test files that are stored meanwhile change `consistent`. */
async function answer({ path, body }: Ask): Promise<string> {
  const answered = await send("POST", path, { body, apiKey: own.apiKey });
  expect(answered.status, JSON.stringify(body)).toBeLessThan(500);
  return JSON.stringify(answered.body, (name, value) =>
    ["requestId", "executionTime", "consistent"].includes(name) ? undefined : value,
  );
}

test(`${rounds} random queries: another tenant's data changes no answer and is in none`, async () => {
  const random = seededRandom(seed);
  const asks = Array.from({ length: rounds }, () =>
    pick(random, [randomQuery, randomQuery, randomCustom, randomCustom, randomCompile])(random),
  );
  const before: string[] = [];
  for (const ask of asks) before.push(await answer(ask));
  // Without this the test would also pass if nothing were ever found.
  expect(before.filter((text) => text.includes("DE") || text.includes("/pricing")).length).toBeGreaterThan(rounds / 10);
  await store(other, marked);
  for (const [index, ask] of asks.entries()) {
    const after = await answer(ask);
    expect(after, JSON.stringify(ask)).toBe(before[index]);
    const echoed = JSON.stringify(ask.body).includes(mark);
    if (!echoed) expect(after, JSON.stringify(ask)).not.toContain(mark);
  }
}, 600_000);

test("another tenant's website is refused in every call, and its own key sees its rows", async () => {
  const query = { parameters: ["pages"], ...days() };
  const custom = { query: { table: "events", selects: [{ aggregate: "count" }] }, ...days() };
  const compile = { type: "pages", from: "2026-03-01", to: "2026-03-30" };
  for (const [path, body] of [
    ["/v1/query", query],
    ["/v1/query/custom", custom],
    ["/v1/query/compile", compile],
  ] as const) {
    const refused = await send("POST", `${path}?website_id=${other.websiteId}`, { body, apiKey: own.apiKey });
    expect(refused).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
  }
  const refused = await send("POST", `/v1/query?organization_id=${other.organizationId}`, {
    body: query,
    apiKey: own.apiKey,
  });
  expect(refused).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
  const seen = await send("POST", `/v1/query?website_id=${other.websiteId}`, { body: query, apiKey: other.apiKey });
  expect(JSON.stringify(seen.body)).toContain(mark);
});
