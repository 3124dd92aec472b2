/**
 * `npm run bench:answers [-- --monitors 100 --rounds 15]`: how fast status, history and the status page answer over 90 days of checks each
 * minute of one monitor among others, as JSON, on a stack of its own. Beside them, in the same run, the plainest SQL to QuestDB alone.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";
import pg from "pg";
import { absolute, type Bench, type BenchRun, type Figure, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";

const targetMs = 50;
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** One check in so many is down. */
const downEvery = 100;
const shownOnPage = 10;

export const bench: Bench = {
  name: "answers",
  measure: (run) => run.stacks.use({ parts: withoutTemporal }, (stack) => measure(run, stack)),
};

/** What is stored: checks each minute of some days, of monitors of which two are measured. */
type Stored = {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly days: number;
  readonly monitors: number;
  /** Of one region and of three. */
  readonly measured: { readonly oneRegion: string; readonly threeRegions: string };
  readonly onPage: readonly string[];
};

async function measure({ isSmoke, args }: BenchRun, bench: BenchStack) {
  const { values } = parseArgs({
    args: [...args],
    options: { monitors: { type: "string", default: "100" }, rounds: { type: "string", default: "15" } },
  });
  const rounds = isSmoke ? 1 : Number(values.rounds);
  const days = isSmoke ? 2 : 90;
  const lastMs = Math.floor(Date.now() / minuteMs) * minuteMs - minuteMs;
  const measured = { oneRegion: randomUUID(), threeRegions: randomUUID() };
  const monitors = isSmoke ? shownOnPage : Number(values.monitors);
  const others = Array.from({ length: shownOnPage - 2 }, (_, index) => otherMonitor(bench, index + 1));
  const onPage = [measured.oneRegion, measured.threeRegions, ...others];
  const stored: Stored = { firstMs: lastMs - days * dayMs, lastMs, days, monitors, measured, onPage };
  const rows = await load(bench, stored);
  const { questdb, owner } = bench;
  const ask = async (method: "GET" | "POST", path: string, body?: object) => {
    const startedMs = performance.now();
    const response = await fetch(`${owner.baseUrl}${path}`, {
      method,
      headers: { "x-api-key": owner.apiKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return { ms: performance.now() - startedMs, answer: JSON.parse(text) };
  };
  const read = async (sql: string) => {
    const startedMs = performance.now();
    const found = await questdb.read(sql, []);
    return { ms: performance.now() - startedMs, rows: found };
  };
  const figures: Record<string, Figure> = {};
  const problems: string[] = [];
  for (const { name, http, sql, wrong } of casesOf(stored, owner.websiteId)) {
    const times: { http: number[]; sql: number[] } = { http: [], sql: [] };
    // The first two rounds warm up.
    for (let index = -2; index < rounds; index += 1) {
      const [answered, plain] = [await ask(...http), await read(sql)];
      const found = wrong(answered.answer, plain.rows);
      if (found !== undefined) problems.push(`${name}: ${found}`);
      if (index < 0) continue;
      times.http.push(answered.ms);
      times.sql.push(plain.ms);
    }
    const [httpMs, sqlMs] = [median(times.http), median(times.sql)];
    figures[`${name} / plain SQL`] = ratio(round(httpMs / sqlMs, 2), "lower");
    figures[name] = absolute(round(httpMs, 1), "ms", "lower", targetMs);
    figures[`${name}, plain SQL`] = absolute(round(sqlMs, 1), "ms", "lower");
  }
  return { settings: { days, monitors, rows, rounds }, figures, problems, details: null };
}

type Request = readonly [method: "GET" | "POST", path: string, body?: object];
type Case = {
  readonly name: string;
  readonly http: Request;
  readonly sql: string;
  /** What is wrong with an answer, compared with the rows of the statement. */
  readonly wrong: (answer: Answer, rows: readonly Row[]) => string | undefined;
};
type Row = Readonly<Record<string, unknown>>;
type Answer = {
  readonly uptime?: Readonly<Record<string, number>>;
  readonly dataPoints?: readonly { readonly checks: number; readonly failures: number }[];
  readonly checks?: readonly { readonly scheduledAt: string }[];
  readonly monitors?: readonly { readonly id: string; readonly uptimePercent: number }[];
};

function casesOf({ firstMs, lastMs, measured, onPage }: Stored, websiteId: string): Case[] {
  const range = { dateFrom: new Date(firstMs).toISOString(), dateTo: new Date(lastMs).toISOString() };
  const counts = "count() checks, sum(CASE WHEN slot_status = 'down' THEN 1 ELSE 0 END) down";
  const cases = Object.entries(measured).flatMap(([regions, monitorId]): Case[] => {
    const scope = `monitor_id = '${monitorId}' AND ts >= '${range.dateFrom}' AND ts < '${range.dateTo}'`;
    const times = "avg(ttfb_ms), avg(total_ms), min(ttfb_ms), max(ttfb_ms)";
    const historyOf = (name: string, granularity: string, unitMs: number): Case => ({
      name: `${name}, ${regions}`,
      http: ["POST", "/uptime/history", { monitorId, ...range, granularity }],
      sql: `SELECT ts::long / ${unitMs * 1_000}L span, ${counts}, ${times} FROM uptime_checks WHERE ${scope} GROUP BY span ORDER BY span`,
      wrong: ({ dataPoints = [] }, rows) =>
        different(
          dataPoints.map(({ checks, failures }) => [checks, failures]),
          rows.map((row) => [Number(row["checks"]), Number(row["down"])]),
        ),
    });
    return [
      {
        name: `status, ${regions}`,
        http: ["POST", "/uptime/status", { monitorId }],
        sql: `SELECT ${counts} FROM uptime_checks WHERE ${scope}`,
        wrong: ({ uptime }, rows) => differentShare(uptime?.["90d"], rows),
      },
      historyOf("history by day", "1d", dayMs),
      historyOf("history by hour", "1h", 60 * minuteMs),
      {
        name: `recent checks, ${regions}`,
        http: ["POST", "/uptime/checks/recent", { monitorId, limit: 50 }],
        sql: `SELECT * FROM uptime_checks WHERE monitor_id = '${monitorId}' ORDER BY ts DESC LIMIT 50`,
        wrong: ({ checks = [] }, rows) =>
          different(
            checks.map(({ scheduledAt }) => Date.parse(scheduledAt)),
            rows.map((row) => Number(row["ts"])),
          ),
      },
    ];
  });
  const page: Case = {
    name: "status page",
    http: ["GET", `/v1/status?website_id=${websiteId}`],
    sql:
      `SELECT monitor_id, ${counts} FROM uptime_checks ` +
      `WHERE monitor_id IN ('${onPage.join("', '")}') AND ts >= '${range.dateFrom}' GROUP BY monitor_id`,
    wrong: ({ monitors = [] }, rows) =>
      onPage
        .map((id) =>
          differentShare(
            monitors.find((monitor) => monitor.id === id)?.uptimePercent,
            rows.filter((row) => row["monitor_id"] === id),
          ),
        )
        .find((found) => found !== undefined),
  };
  return [...cases, page];
}

function different(ours: readonly unknown[], theirs: readonly unknown[]): string | undefined {
  if (isDeepStrictEqual(ours, theirs)) return undefined;
  return `${JSON.stringify(ours).slice(0, 200)}, not ${JSON.stringify(theirs).slice(0, 200)}`;
}

/** Percent of the checks that were not down, which are shown with three places. */
function differentShare(ours: number | undefined, [row]: readonly Row[]): string | undefined {
  const theirs = 100 * (1 - Number(row?.["down"]) / Number(row?.["checks"]));
  return ours !== undefined && Math.abs(ours - theirs) <= 0.001 ? undefined : `${ours} %, not ${theirs} %`;
}

/** Makes the monitors and their checks; one in a hundred is down. Resolves to the number of rows once all can be read. */
async function load(bench: BenchStack, stored: Stored): Promise<number> {
  await insertMonitors(bench, stored);
  const { stack, questdb, owner } = bench;
  const { days, firstMs, monitors, measured } = stored;
  const client = new pg.Client({ connectionString: stack.config.questdb.pg });
  await client.connect();
  let rows = 0;
  // The two measured ones are among the first ten; the others belong to the status page or to none.
  const sets = [
    {
      count: monitors,
      region: "local",
      idSql: `CASE WHEN x % ${monitors} = 0 THEN '${measured.oneRegion}' ELSE '${otherMonitor(bench, 0).slice(0, -1)}' || (x % ${monitors}) END`,
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
         SELECT (${fromUs}L + (x / ${count}) * 60000000L)::timestamp, '${owner.websiteId}', (${idSql})::symbol, '${region}',
           CASE WHEN (x / ${count}) % ${downEvery} = 0 THEN 'down' ELSE 'up' END, CASE WHEN (x / ${count}) % ${downEvery} = 0 THEN 'down' ELSE 'up' END, ${slotCount}, 60000, 200,
           rnd_float() * 10, rnd_float() * 10, rnd_float() * 20, rnd_float() * 100, 100 + rnd_float() * 200, 5000, 1, 1900000000000L, 1,
           ${fromUs / 1_000}L, ${fromUs / 1_000}L
         FROM (SELECT x - 1 x FROM long_sequence(${1_440 * count}))`,
      );
      rows += 1_440 * count;
    }
  await client.end();
  for (;;) {
    const [found] = await questdb.read("SELECT count() n FROM uptime_checks WHERE website_id = $1", [owner.websiteId]);
    if (Number(found?.["n"]) >= rows) return rows;
    await pause(200);
  }
}

/** Stopped ones are on no page, paused ones are not checked. */
async function insertMonitors({ postgres, owner }: BenchStack, { onPage, firstMs }: Stored): Promise<void> {
  for (const id of onPage) {
    await postgres.query(
      `INSERT INTO monitors (id, website_id, organization_id, url, interval_ms, phase_ms, timeout_ms, cache_bust, options, status, notified_revision)
       VALUES ($1, $2, $3, 'https://shop.invalid/', 60000, 0, 30000, false, '{"name": "shop"}', 'paused', 1)`,
      [id, owner.websiteId, owner.organizationId],
    );
    await postgres.query(
      `INSERT INTO monitor_schedules (monitor_id, from_at, interval_ms, phase_ms) VALUES ($1, to_timestamp($2::float8 / 1000), 60000, 0)`,
      [id, firstMs],
    );
  }
}

/** The id of a monitor that is not measured. */
function otherMonitor({ owner }: BenchStack, number: number): string {
  return `${owner.websiteId}-${number}`;
}

if (import.meta.main) await runAsScript(bench);
