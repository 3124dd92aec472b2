import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, test } from "vitest";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { type Found, insertMonitor, type TestMonitor, writeChecks } from "../../kit/stores/monitorFixture.ts";

const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 4, 1);
const dates = { startDate: "2026-05-01", endDate: "2026-05-03" };
const regions = ["eu-1", "local", "us-1"];

let website: TestWebsite;
let other: TestWebsite;
let monitors: { monitor: TestMonitor; found: Found[] }[];

beforeAll(async () => {
  [website, other] = await Promise.all([createWebsite({ publicAccess: true }), createWebsite()]);
  const random = seededRandom(20_261_122);
  monitors = [];
  // Two monitors with the same slots: those of one must not be taken for those of the other.
  for (const owner of [website, website, other]) {
    const monitor = await insertMonitor(owner, { intervalMs: 900_000, phaseMs: 60_000 });
    const found = checks(random);
    await writeChecks(monitor, found);
    monitors.push({ monitor, found });
  }
});

/** Two of the three requested days. */
function checks(random: () => number): Found[] {
  const found: Found[] = [];
  for (let dueMs = startMs + 60_000; dueMs < startMs + 2 * dayMs; dueMs += 900_000)
    for (const region of regions) {
      if (random() < 0.15) continue;
      const status = random() < 0.3 ? "down" : random() < 0.1 ? "degraded" : "up";
      const isSilent = status === "down" && random() < 0.5;
      const times = { ttfbMs: 1 + Math.floor(random() * 300), totalMs: 300 + Math.floor(random() * 700) };
      const seen = region === "eu-1" ? { sslValid: random() < 0.9, sslExpiryMs: startMs + 90 * dayMs } : {};
      found.push({
        dueMs,
        region,
        status,
        more: isSilent ? { httpCode: 0, ttfbMs: 0, totalMs: 1_000 } : { ...times, ...seen },
      });
    }
  return found;
}

type Row = Record<string, unknown>;

async function ask(
  type: string,
  scope: string,
  more: object = {},
  apiKey: string | undefined = website.apiKey,
): Promise<Row[]> {
  const { body } = await send("POST", `/v1/query?${scope}`, {
    ...(apiKey === "" ? {} : { apiKey }),
    body: { parameters: [type], ...dates, ...more },
  });
  expect(body).toMatchObject({ data: [{ success: true }] });
  return (body as { data: { data: Row[] }[] }).data[0]?.data ?? [];
}

/** DuckDB's answers over the same checks; it computes a slot's status by itself. */
async function oracle(sets: { monitor: TestMonitor; found: Found[] }[], sql: string): Promise<Row[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    const rows = sets.flatMap(({ monitor, found }) =>
      found.map(({ dueMs, region, status, more }) => {
        const code = more?.httpCode ?? (status === "down" ? 503 : 200);
        const valid = more?.sslValid === undefined ? "NULL" : String(more.sslValid);
        return `('${monitor.id}', ${dueMs}, '${region}', '${status}', ${code}, ${more?.ttfbMs ?? 0}, ${more?.totalMs ?? 0}, ${valid})`;
      }),
    );
    await connection.run(
      `CREATE TABLE checks AS SELECT * FROM (VALUES ${rows.join(", ")}) t(monitor, due, region, status, code, ttfb, total, valid)`,
    );
    await connection.run(
      `CREATE VIEW slots AS SELECT monitor, due, 2 * count_if(status = 'down') > count(*) AS down FROM checks GROUP BY ALL`,
    );
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    instance.closeSync();
  }
}

const own = () => monitors.filter(({ monitor }) => monitor.websiteId === website.websiteId);
const scopes = {
  "one monitor": () => ({ sets: monitors.slice(0, 1), scope: `schedule_id=${monitors[0]?.monitor.id}` }),
  "all monitors of a website": () => ({ sets: own(), scope: `website_id=${website.websiteId}` }),
};
const near = (value: unknown) => expect.closeTo(Number(value), 1);

describe.each(Object.entries(scopes))("A1 uptime of %s", (_, scopeOf) => {
  test("overview: uptime is by slots, times are of the answered checks", async () => {
    const { sets, scope } = scopeOf();
    const [wanted] = await oracle(
      sets,
      `SELECT (SELECT avg(CASE WHEN down THEN 0 ELSE 100 END) FROM slots) uptime, avg(total) mean, min(total) least, max(total) most,
         avg(ttfb) ttfb FROM checks WHERE code > 0`,
    );
    const rows = await ask("uptime_overview", scope);
    expect(rows).toEqual([
      {
        uptime_percentage: expect.closeTo(Number(wanted?.["uptime"]), 6),
        avg_response_time: near(wanted?.["mean"]),
        min_response_time: Number(wanted?.["least"]),
        max_response_time: Number(wanted?.["most"]),
        avg_ttfb: near(wanted?.["ttfb"]),
        p50_response_time: expect.any(Number),
        p75_response_time: expect.any(Number),
        p95_response_time: expect.any(Number),
        p99_response_time: expect.any(Number),
        ssl_expiry: new Date(startMs + 90 * dayMs).toISOString(),
        ssl_valid: expect.any(Boolean),
      },
    ]);
  });

  test("time series: a day without checks is neither up nor down", async () => {
    const { sets, scope } = scopeOf();
    const wanted = await oracle(
      sets,
      `SELECT day, uptime, downtime, total, good FROM
         (SELECT (due - ${startMs}) // ${dayMs} AS day, avg(CASE WHEN down THEN 0 ELSE 100 END) uptime, 900 * count_if(down) downtime FROM slots GROUP BY 1)
         JOIN (SELECT (due - ${startMs}) // ${dayMs} AS day, count(*) total, count_if(status <> 'down') good FROM checks GROUP BY 1) USING (day)
       ORDER BY day`,
    );
    const rows = await ask("uptime_time_series", scope);
    expect(rows).toMatchObject([
      ...wanted.map((day, index) => ({
        date: `2026-05-0${index + 1}`,
        uptime_percentage: expect.closeTo(Number(day["uptime"]), 6),
        total_checks: Number(day["total"]),
        successful_checks: Number(day["good"]),
        downtime_seconds: Number(day["downtime"]),
        p95_ttfb: expect.any(Number),
      })),
      { date: "2026-05-03", uptime_percentage: null, total_checks: 0, downtime_seconds: null, avg_response_time: null },
    ]);
    expect(await ask("uptime_response_time_trends", scope, { granularity: "hourly" })).toHaveLength(72);
  });

  test("by status, by region, certificate, and the checks themselves", async () => {
    const { sets, scope } = scopeOf();
    const byStatus = await oracle(
      sets,
      "SELECT status, code, count(*) n, round(100 * count(*) / sum(count(*)) OVER (), 2) AS share FROM checks GROUP BY ALL ORDER BY n DESC, status, code",
    );
    expect(await ask("uptime_status_breakdown", scope)).toEqual(
      byStatus.map((row) => ({
        status: row["status"],
        http_code: String(row["code"]),
        count: Number(row["n"]),
        percentage: expect.closeTo(Number(row["share"]), 2),
      })),
    );
    const byRegion = await oracle(
      sets,
      "SELECT region, avg(CASE WHEN status = 'down' THEN 0 ELSE 100 END) uptime, avg(total) FILTER (code > 0) mean FROM checks GROUP BY region ORDER BY region",
    );
    expect(await ask("uptime_by_region", scope)).toEqual(
      byRegion.map((row) => ({
        region: row["region"],
        uptime_percentage: expect.closeTo(Number(row["uptime"]), 6),
        avg_response_time: near(row["mean"]),
        p95_response_time: expect.any(Number),
      })),
    );
    const [ssl] = await oracle(sets, "SELECT count_if(NOT valid) invalid FROM checks");
    expect(await ask("uptime_ssl_status", scope)).toMatchObject([{ invalid_ssl_checks: Number(ssl?.["invalid"]) }]);
    const whole = await ask("uptime_recent_checks", scope, { limit: 500 });
    const pages = await Promise.all([1, 2].map((page) => ask("uptime_recent_checks", scope, { limit: 250, page })));
    expect(whole).toHaveLength(Math.min(500, sets.flatMap(({ found }) => found).length));
    expect(pages.flat()).toEqual(whole);
    expect(Object.keys(whole[0] ?? {})).toEqual(catalogue.get("uptime_recent_checks")?.fields.map(({ name }) => name));
  });

  test("filters select checks by region, status and HTTP status", async () => {
    const { sets, scope } = scopeOf();
    const filters = [
      { field: "region", op: "in", value: ["eu-1", "us-1"] },
      { field: "status", op: "eq", value: "down" },
      { field: "http_code", op: "ne", value: 0 },
    ];
    const [wanted] = await oracle(
      sets,
      `SELECT count(*) n, (SELECT avg(CASE WHEN down THEN 0 ELSE 100 END) FROM slots WHERE (monitor, due) IN
         (SELECT (monitor, due) FROM checks WHERE region <> 'local' AND status = 'down' AND code <> 0)) uptime
       FROM checks WHERE region <> 'local' AND status = 'down' AND code <> 0`,
    );
    expect(await ask("uptime_status_breakdown", scope, { filters })).toEqual([
      { status: "down", http_code: "503", count: Number(wanted?.["n"]), percentage: 100 },
    ]);
    expect(await ask("uptime_overview", scope, { filters })).toMatchObject([
      { uptime_percentage: expect.closeTo(Number(wanted?.["uptime"]), 6) },
    ]);
  });
});

describe("4.1 what is not known of certificates is null, and not that one does not hold", () => {
  const found = { dueMs: startMs, region: "local", status: "up" } as const;

  test("of checks without a certificate", async () => {
    const owner = await createWebsite();
    await writeChecks(await insertMonitor(owner, { intervalMs: 900_000, phaseMs: 0 }), [found]);
    const asked = async (type: string) => (await ask(type, `website_id=${owner.websiteId}`, {}, owner.apiKey))[0];
    expect(await asked("uptime_overview")).toMatchObject({ uptime_percentage: 100, ssl_expiry: null, ssl_valid: null });
    expect(await asked("uptime_ssl_status")).toEqual({ ssl_expiry: null, ssl_valid: null, invalid_ssl_checks: null });
    expect(await asked("uptime_recent_checks")).toMatchObject({ status: "up", ssl_valid: null });
  });

  test("of a range without checks, while 0 is what checks found", async () => {
    const owner = await createWebsite();
    const more = { sslValid: true, sslExpiryMs: startMs + dayMs };
    await writeChecks(await insertMonitor(owner, { intervalMs: 900_000, phaseMs: 0 }), [{ ...found, more }]);
    const asked = (days: object) => ask("uptime_ssl_status", `website_id=${owner.websiteId}`, days, owner.apiKey);
    expect(await asked({})).toMatchObject([{ ssl_valid: true, invalid_ssl_checks: 0 }]);
    expect(await asked({ startDate: "2026-04-01", endDate: "2026-04-02" })).toEqual([
      { ssl_expiry: null, ssl_valid: null, invalid_ssl_checks: null },
    ]);
  });
});

describe("part 5 access", () => {
  test("a monitor of another organization and an unknown one are refused with the same text", async () => {
    const answers = [];
    const limited = await createKey({ organizationId: website.organizationId, websiteIds: [other.websiteId] });
    for (const [id, apiKey] of [
      [monitors[2]?.monitor.id, website.apiKey],
      ["nothing", website.apiKey],
      ["a%20b", website.apiKey],
      [monitors[0]?.monitor.id, limited],
    ] as const) {
      const body = { parameters: ["uptime_overview"], ...dates };
      const answer = await send("POST", `/v1/query?schedule_id=${id}`, { apiKey, body });
      expect(answer.status).toBe(403);
      answers.push({ ...(answer.body as object), requestId: "" });
    }
    expect(answers[0]).toMatchObject({ code: "ACCESS_DENIED" });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test("a monitor answers only types about monitors", async () => {
    const { body } = await send("POST", `/v1/query?schedule_id=${monitors[0]?.monitor.id}`, {
      apiKey: website.apiKey,
      body: { parameters: ["top_pages", "uptime_overview"], ...dates },
    });
    expect(body).toMatchObject({
      data: [{ success: false, error: expect.stringContaining("website_id") }, { success: true }],
    });
  });

  test("uptime of a public website is public, its single checks are not", async () => {
    const scope = `website_id=${website.websiteId}`;
    expect(await ask("uptime_overview", scope, {}, "")).toHaveLength(1);
    expect(await ask("uptime_time_series", scope, {}, "")).toHaveLength(3);
    const body = { parameters: ["uptime_recent_checks"], ...dates };
    expect((await send("POST", `/v1/query?${scope}`, { body })).status).toBe(401);
    const monitor = `schedule_id=${monitors[0]?.monitor.id}`;
    expect((await send("POST", `/v1/query?${monitor}`, { body })).status).toBe(401);
  });
});
