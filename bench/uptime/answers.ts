/**
 * `node bench/uptime/answers.ts [--monitors 100] [--rounds 15]`: how fast status, history and the status page answer over 90 days of checks each
 * minute of one monitor among others, as JSON, on a stack of its own. Beside them, in the same run, the plainest SQL to QuestDB alone.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import type { Stack } from "../../stack/stack.ts";
import { at, round } from "../../test/kit/load/figures.ts";
import { withStack } from "../../test/kit/stack/benchStack.ts";

const { values: options } = parseArgs({
  options: { monitors: { type: "string", default: "100" }, rounds: { type: "string", default: "15" } },
});
const monitors = Number(options.monitors);
const rounds = Number(options.rounds);
const targetMs = 50;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const days = 90;
const lastMs = Math.floor(Date.now() / minuteMs) * minuteMs - minuteMs;
const firstMs = lastMs - days * dayMs;
/** Of one region and of three. */
const measured = { oneRegion: randomUUID(), threeRegions: randomUUID() };
/** On the status page. */
const shownMonitors = [
  measured.oneRegion,
  measured.threeRegions,
  ...Array.from({ length: 8 }, (_, index) => `m${index + 1}`),
];

await withStack(undefined, async ({ stack, websiteId }) => {
  const { apiKey, organizationId }: { apiKey: string; organizationId: string } = JSON.parse(
    await readFile(join(stack.config.stack.dataDir, "credentials.json"), "utf8"),
  );
  const questdb = new QuestdbReader(stack.config.questdb);
  const rows = await load(stack, questdb, websiteId, organizationId);
  const post = (path: string, body: object) => timed(stack, "POST", path, apiKey, body);
  const range = { dateFrom: new Date(firstMs).toISOString(), dateTo: new Date(lastMs).toISOString() };

  const answers: Record<string, unknown> = {};
  for (const [regions, monitorId] of Object.entries(measured)) {
    const scope = `monitor_id = '${monitorId}' AND ts >= '${range.dateFrom}' AND ts < '${range.dateTo}'`;
    const down = "sum(CASE WHEN slot_status = 'down' THEN 1 ELSE 0 END)";
    const times = "avg(ttfb_ms), avg(total_ms), min(ttfb_ms), max(ttfb_ms)";
    const readOf = (sql: string) => () => timedRead(questdb, sql);
    const historySql = (unitMs: number) =>
      `SELECT ts::long / ${unitMs * 1_000}L span, count(), ${down}, ${times} FROM uptime_checks WHERE ${scope} GROUP BY span`;
    const cases = {
      status: [
        () => post("/uptime/status", { monitorId }),
        readOf(`SELECT count(), ${down} FROM uptime_checks WHERE ${scope}`),
      ],
      historyByDay: [
        () => post("/uptime/history", { monitorId, ...range, granularity: "1d" }),
        readOf(historySql(dayMs)),
      ],
      historyByHour: [
        () => post("/uptime/history", { monitorId, ...range, granularity: "1h" }),
        readOf(historySql(60 * minuteMs)),
      ],
      recentChecks: [
        () => post("/uptime/checks/recent", { monitorId, limit: 50 }),
        readOf(`SELECT * FROM uptime_checks WHERE monitor_id = '${monitorId}' ORDER BY ts DESC LIMIT 50`),
      ],
    } as const;
    const figures: Record<string, unknown> = {};
    for (const [name, [http, sql]] of Object.entries(cases)) figures[name] = await compared(http, sql);
    answers[regions] = figures;
  }
  const pageSql =
    `SELECT monitor_id, ts::long / ${dayMs * 1_000}L span, count(), sum(CASE WHEN slot_status = 'down' THEN 1 ELSE 0 END) FROM uptime_checks ` +
    `WHERE monitor_id IN ('${shownMonitors.join("', '")}') AND ts >= '${range.dateFrom}' GROUP BY monitor_id, span`;
  const statusPage = await compared(
    () => timed(stack, "GET", `/v1/status?website_id=${websiteId}`, apiKey),
    () => timedRead(questdb, pageSql),
  );
  console.log(
    JSON.stringify(
      {
        benchmark: "uptime answers",
        node: process.version,
        cores: cpus().length,
        load: loadavg().map((value) => round(value, 1)),
        rows,
        rounds,
        targetMs,
        answers,
        statusPageOfMonitors: { monitors: shownMonitors.length, ...statusPage },
      },
      null,
      2,
    ),
  );
  await questdb.close();
});

async function compared(http: () => Promise<number>, sql: () => Promise<number>) {
  const httpTimes: number[] = [];
  const sqlTimes: number[] = [];
  // The first two rounds warm up.
  for (let turn = -2; turn < rounds; turn += 1) {
    const [httpMs, sqlMs] = [await http(), await sql()];
    if (turn < 0) continue;
    httpTimes.push(httpMs);
    sqlTimes.push(sqlMs);
  }
  const httpP50Ms = middle(httpTimes);
  return { httpP50Ms, sqlP50Ms: middle(sqlTimes), met: httpP50Ms < targetMs };
}

function middle(times: readonly number[]): number {
  return round(
    at(
      times.toSorted((a, b) => a - b),
      0.5,
    ),
    1,
  );
}

async function timed(stack: Stack, method: string, path: string, apiKey: string, body?: object): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${stack.config.server.baseUrl}${path}`, {
    method,
    headers: { "x-api-key": apiKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return performance.now() - started;
}

async function timedRead(questdb: QuestdbReader, sql: string): Promise<number> {
  const started = performance.now();
  await questdb.read(sql, []);
  return performance.now() - started;
}

/** Makes the monitors and their checks; one in a hundred is down. Resolves to the number of rows once all can be read. */
async function load(stack: Stack, questdb: QuestdbReader, websiteId: string, organizationId: string): Promise<number> {
  await insertMonitors(stack, websiteId, organizationId);
  const client = new pg.Client({ connectionString: stack.config.questdb.pg });
  await client.connect();
  let rows = 0;
  // The two measured ones are among the first ten; the others belong to the status page or to none.
  const sets = [
    {
      count: monitors,
      region: "local",
      idSql: `CASE WHEN x % ${monitors} = 0 THEN '${measured.oneRegion}' ELSE 'm' || (x % ${monitors}) END`,
    },
    ...["eu-1", "local", "us-1"].map((region) => ({ count: 1, region, idSql: `'${measured.threeRegions}'` })),
  ];
  for (let day = 0; day < days; day += 1)
    for (const { count, region, idSql } of sets) {
      const slotCount = region === "us-1" || (region === "local" && count === 1) ? 0 : 1;
      const fromUs = (firstMs + day * dayMs) * 1_000;
      await client.query(
        `INSERT INTO uptime_checks (ts, website_id, monitor_id, region, status, slot_status, slot_count, interval_ms, http_code, dns_ms, connect_ms,
           tls_ms, ttfb_ms, total_ms, response_bytes, ssl_valid, ssl_expiry_ms, attempts, started_ms, finished_ms)
         SELECT (${fromUs}L + (x / ${count}) * 60000000L)::timestamp, '${websiteId}', (${idSql})::symbol, '${region}',
           CASE WHEN (x / ${count}) % 100 = 0 THEN 'down' ELSE 'up' END, CASE WHEN (x / ${count}) % 100 = 0 THEN 'down' ELSE 'up' END, ${slotCount}, 60000, 200,
           rnd_float() * 10, rnd_float() * 10, rnd_float() * 20, rnd_float() * 100, 100 + rnd_float() * 200, 5000, 1, 1900000000000L, 1,
           ${fromUs / 1_000}L, ${fromUs / 1_000}L
         FROM (SELECT x - 1 x FROM long_sequence(${1_440 * count}))`,
      );
      rows += 1_440 * count;
    }
  await client.end();
  for (;;) {
    const [found] = await questdb.read("SELECT count() n FROM uptime_checks", []);
    if (Number(found?.["n"]) >= rows) return rows;
    await pause(200);
  }
}

/** Stopped ones are on no page, paused ones are not checked. */
async function insertMonitors(stack: Stack, websiteId: string, organizationId: string): Promise<void> {
  const client = new pg.Client({ connectionString: stack.config.postgres.url });
  await client.connect();
  for (const id of shownMonitors) {
    await client.query(
      `INSERT INTO monitors (id, website_id, organization_id, url, interval_ms, phase_ms, timeout_ms, cache_bust, options, status, notified_revision)
       VALUES ($1, $2, $3, 'https://shop.invalid/', 60000, 0, 30000, false, '{"name": "shop"}', 'paused', 1)`,
      [id, websiteId, organizationId],
    );
    await client.query(
      `INSERT INTO monitor_schedules (monitor_id, from_at, interval_ms, phase_ms) VALUES ($1, to_timestamp($2::float8 / 1000), 60000, 0)`,
      [id, firstMs],
    );
  }
  await client.end();
}
