import { beforeAll, describe, expect, inject, test } from "vitest";
import { slotAt } from "../../../src/uptime/state/slots.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { type Found, insertMonitor, type TestMonitor, writeChecks } from "../../kit/stores/monitorFixture.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
/** Checked from here on, for three days, with an hour of pause; some slots have no answer. */
const startMs = todayMs - 5 * dayMs + 7 * hourMs;
const pause = { fromMs: startMs + 20 * hourMs, untilMs: startMs + 21 * hourMs };
const endMs = startMs + 3 * dayMs;

let website: TestWebsite;
let monitor: TestMonitor;
let found: Found[];

beforeAll(async () => {
  website = await createWebsite();
  const schedules = [
    { fromMs: startMs, untilMs: pause.fromMs },
    { fromMs: pause.untilMs, untilMs: endMs },
  ];
  monitor = await insertMonitor(website, { schedules });
  const beside = await insertMonitor(website, { schedules });
  found = randomChecks();
  await writeChecks(monitor, found);
  await writeChecks(
    beside,
    found.map((check) => ({ ...check, status: "down" })),
  );
});

/** Every slot, also in the pause. Three regions check, not always all of them, and a few hours lack all. */
function randomChecks(): Found[] {
  const random = seededRandom(20_261_121);
  const checks: Found[] = [];
  for (let dueMs = startMs + 17_000; dueMs < endMs; dueMs += minuteMs) {
    if (dueMs >= pause.fromMs && dueMs < pause.untilMs) continue;
    const hour = Math.floor((dueMs - startMs) / hourMs);
    if (hour % 17 === 3 || random() < 0.01) continue;
    const isOutage = hour % 11 === 5;
    for (const region of ["eu-1", "local", "us-1"]) {
      if (random() < 0.1) continue;
      const status = random() < (isOutage ? 0.7 : 0.02) ? "down" : random() < 0.03 ? "degraded" : "up";
      const isSilent = status === "down" && random() < 0.5;
      const more = isSilent
        ? { httpCode: 0, ttfbMs: 0, totalMs: 1_000, error: "Timeout" }
        : { ttfbMs: Math.floor(random() * 400) + 1, totalMs: Math.floor(random() * 900) + 401 };
      checks.push({ dueMs, region, status, more });
    }
  }
  return checks;
}

const post = (path: string, body: unknown) => send("POST", `/uptime/${path}`, { body, apiKey: website.apiKey });

type Point = Record<string, number | string>;

/** The same figures, slot by slot, as the docs define them. */
function expected(fromMs: number, untilMs: number): Record<string, unknown> {
  let due = 0;
  let known = 0;
  let good = 0;
  let unclear = 0;
  const checks = found.filter(({ dueMs }) => dueMs >= fromMs && dueMs < untilMs);
  const bySlot = Map.groupBy(checks, ({ dueMs }) => dueMs);
  for (let dueMs = startMs + 17_000; dueMs < endMs; dueMs += minuteMs) {
    if (dueMs < fromMs || dueMs >= untilMs || (dueMs >= pause.fromMs && dueMs < pause.untilMs)) continue;
    due += 1;
    const answers = bySlot.get(dueMs) ?? [];
    if (answers.length === 0) continue;
    known += 1;
    const down = answers.filter(({ status }) => status === "down").length;
    if (down * 2 <= answers.length) good += 1;
    if (down * 2 <= answers.length && answers.some(({ status }) => status !== "up")) unclear += 1;
  }
  const answered = checks.filter(({ more, status }) => (more?.httpCode ?? (status === "down" ? 503 : 200)) > 0);
  const mean = (name: "ttfbMs" | "totalMs") =>
    answered.reduce((sum, { more }) => sum + (more?.[name] ?? 0), 0) / Math.max(1, answered.length);
  const down = known - good;
  const status = down * 2 > known ? "down" : down === 0 && unclear === 0 ? "up" : "degraded";
  return {
    status: known === 0 ? "unknown" : status,
    uptimePercent: known === 0 ? 0 : Math.floor((good / known) * 100_000 + 1e-9) / 1_000,
    coveragePercent: due === 0 ? 0 : Math.floor((known / due) * 100_000 + 1e-9) / 1_000,
    avgTtfbMs: expect.closeTo(mean("ttfbMs"), 1),
    avgTotalMs: expect.closeTo(mean("totalMs"), 1),
    checks: checks.length,
    failures: checks.filter(({ status: found }) => found === "down").length,
  };
}

describe("4.10 history", () => {
  test.each([
    ["5m", 300_000],
    ["15m", 900_000],
    ["1h", hourMs],
    ["6h", 6 * hourMs],
    ["1d", dayMs],
  ])("in buckets of %s equals a count slot by slot, with gaps and several regions", async (granularity, stepMs) => {
    const dateFrom = new Date(startMs - 3 * hourMs).toISOString();
    const dateTo = new Date(endMs + hourMs).toISOString();
    const { body } = await post("history", { monitorId: monitor.id, dateFrom, dateTo, granularity });
    const { dataPoints, summary } = body as { dataPoints: Point[]; summary: Point };
    const firstMs = Math.floor((startMs - 3 * hourMs) / stepMs) * stepMs;
    const wanted = [];
    for (let ms = firstMs; ms < endMs + hourMs; ms += stepMs)
      wanted.push({ timestamp: new Date(ms).toISOString(), ...expected(ms, ms + stepMs) });
    expect(dataPoints).toEqual(wanted);
    const { checks, failures, status: _, ...whole } = expected(0, todayMs);
    expect(summary).toMatchObject({
      ...whole,
      totalChecks: checks,
      totalFailures: failures,
      minTtfbMs: 1,
      maxTtfbMs: 400,
    });
  });

  test("counts only the requested time", async () => {
    const from = startMs + 5 * hourMs + 30 * minuteMs;
    const dates = { dateFrom: new Date(from).toISOString(), dateTo: new Date(from + hourMs).toISOString() };
    const { body } = await post("history", { monitorId: monitor.id, ...dates });
    const { dataPoints } = body as { dataPoints: Point[] };
    expect(dataPoints).toMatchObject([expected(from, from + hourMs / 2), expected(from + hourMs / 2, from + hourMs)]);
  });

  test("of days without checks is unknown and never up", async () => {
    const { body } = await post("history", {
      monitorId: monitor.id,
      dateFrom: "2024-02-28",
      dateTo: "2024-03-01",
      granularity: "1d",
    });
    const nothing = { status: "unknown", uptimePercent: 0, coveragePercent: 0, checks: 0, failures: 0, avgTtfbMs: 0 };
    expect(body).toMatchObject({
      dataPoints: [
        { timestamp: "2024-02-28T00:00:00.000Z", ...nothing },
        { timestamp: "2024-02-29T00:00:00.000Z", ...nothing },
        { timestamp: "2024-03-01T00:00:00.000Z", ...nothing },
      ],
      summary: { totalChecks: 0, uptimePercent: 0, minTtfbMs: 0, maxTtfbMs: 0, incidents: 0 },
    });
  });

  test.each([
    [{ dateFrom: "soon" }, "dateFrom", undefined],
    [{ dateTo: "2026-02-30" }, "dateTo", undefined],
    [{ dateFrom: "2026-02-01", dateTo: "2026-01-01" }, "dateTo", undefined],
    [{ granularity: "2h" }, "granularity", "1h"],
    [{ dateFrom: "2026-01-01", dateTo: "2026-03-31", granularity: "5m" }, "granularity", "15m"],
    [{ monitorId: "" }, "monitorId", undefined],
  ])("names the mistake in %j", async (wrong, field, suggestion) => {
    const request = { monitorId: monitor.id, dateFrom: "2026-01-01", dateTo: "2026-01-31", ...wrong };
    const { status, body } = await post("history", request);
    expect(body).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] });
    expect(status).toBe(400);
    const { details } = body as { details: { suggestion?: string }[] };
    expect(details[0]?.suggestion).toBe(suggestion);
  });
});

describe("4.11 incidents", () => {
  test("are those that overlap the range, newest first; an ongoing one is acknowledged once", async () => {
    const own = await insertMonitor(website);
    const oldMs = Date.UTC(2026, 0, 10, 12);
    const openMs = todayMs - dayMs;
    await inDatabase((database) =>
      database.query(
        `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions) VALUES
           ($1, $5, to_timestamp($2::float8 / 1000), to_timestamp($2::float8 / 1000 + 600), 'HTTP 503', 10, '{eu-1,us-1}'),
           ($3, $5, to_timestamp($4::float8 / 1000), NULL, 'Timeout', 4, '{local}')`,
        [`${own.id}/${oldMs}`, oldMs, `${own.id}/${openMs}`, openMs, own.id],
      ),
    );
    const list = async (dateFrom: string, dateTo: string) =>
      (await post("incidents", { monitorId: own.id, dateFrom, dateTo })).body;
    const old = {
      id: `${own.id}/${oldMs}`,
      monitorId: own.id,
      startedAt: "2026-01-10T12:00:00.000Z",
      resolvedAt: "2026-01-10T12:10:00.000Z",
      durationMs: 600_000,
      status: "resolved",
      firstError: "HTTP 503",
      checksAffected: 10,
      regions: ["eu-1", "us-1"],
      acknowledgedAt: null,
      acknowledgedBy: "",
      workflowUrl: `${inject("lookout").temporalUi}/namespaces/default/workflows/incident%2F${own.id}%2F${oldMs}`,
    };
    const open = { id: `${own.id}/${openMs}`, status: "ongoing", resolvedAt: null, firstError: "Timeout" };
    expect(await list("2026-01-10T12:05:00Z", "2026-01-10T12:06:00Z")).toEqual({ incidents: [old] });
    expect(await list("2026-01-10", new Date().toISOString())).toMatchObject({ incidents: [open, old] });
    expect(await list("2026-01-10T12:10:00Z", "2026-01-11")).toEqual({ incidents: [] });
    expect((await post("status", { monitorId: own.id })).body).toMatchObject({ incident: open });

    const first = await post("incidents/acknowledge", { id: open.id, by: "Ada" });
    expect(first.body).toMatchObject({ ...open, acknowledgedBy: "Ada", acknowledgedAt: expect.any(String) });
    const second = await post("incidents/acknowledge", { id: open.id });
    expect(second.body).toMatchObject({ acknowledgedBy: "Ada" });
    expect(await post("incidents/acknowledge", { id: old.id })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
    const foreign = await createWebsite();
    const refused = await send("POST", "/uptime/incidents/acknowledge", {
      body: { id: open.id },
      apiKey: foreign.apiKey,
    });
    expect(refused).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    // The first one only, which is kept.
    const { apiKey, websiteId } = website;
    const body = { websiteId, action: "incident.acknowledge" };
    expect((await send("POST", "/audit/list", { body, apiKey })).body).toMatchObject({
      entries: [{ actorType: "api_key", objectType: "incident", objectId: open.id, after: { acknowledgedBy: "Ada" } }],
    });
    expect((await post("incidents", { monitorId: own.id, dateFrom: "x", dateTo: "y" })).body).toMatchObject({
      details: [{ field: "dateFrom" }, { field: "dateTo" }],
    });
  });
});

describe("4.12 status and 4.13 recent checks", () => {
  test("have uptime and coverage up to now, the last slot and the next", async () => {
    const nowMs = Date.now();
    const own = await insertMonitor(website, {
      intervalMs: hourMs,
      phaseMs: 0,
      schedules: [{ fromMs: nowMs - 100 * dayMs, untilMs: null }],
    });
    const lastMs = Math.floor(nowMs / hourMs) * hourMs;
    // One in ten of the last day is down, half of those of days 8 to 30 are missing, and before that all were down.
    const checks: Found[] = [];
    for (let age = 0; age < 95 * 24; age += 1) {
      const dueMs = lastMs - age * hourMs;
      if (age > 8 * 24 && age < 29 * 24 && age % 2 === 0) continue;
      const isDown = age < 24 ? age % 10 === 1 : age > 31 * 24;
      checks.push({ dueMs, region: "local", status: isDown ? "down" : "up" });
      if (age === 0)
        checks.push({
          dueMs,
          region: "eu-1",
          status: "degraded",
          more: { sslValid: true, sslExpiryMs: Date.UTC(2030, 0, 1), error: "The first try met a reset", ttfbMs: 12.5 },
        });
    }
    await writeChecks(own, checks);
    const in_ = (days: number) => {
      const slots = [...new Set(checks.filter(({ dueMs }) => dueMs >= nowMs - days * dayMs).map(({ dueMs }) => dueMs))];
      const bad = checks.filter(({ dueMs, status }) => status === "down" && dueMs >= nowMs - days * dayMs).length;
      return { uptime: (100 * (slots.length - bad)) / slots.length, coverage: (100 * slots.length) / (days * 24) };
    };
    const { body } = await post("status", { monitorId: own.id });
    const percents = (name: "uptime" | "coverage") =>
      Object.fromEntries(
        [1, 7, 30, 90].map((days) => [days === 1 ? "24h" : `${days}d`, expect.closeTo(in_(days)[name], 2)]),
      );
    expect(body).toMatchObject({
      status: "degraded",
      lastCheckAt: new Date(lastMs + 5).toISOString(),
      nextCheckAt: null,
      uptime: percents("uptime"),
      coverage: percents("coverage"),
      lastCheck: {
        timestamp: new Date(lastMs + 5).toISOString(),
        scheduledAt: new Date(lastMs).toISOString(),
        status: "degraded",
        probeRegion: "eu-1",
        httpCode: 200,
        ttfbMs: 12.5,
        sslValid: true,
        sslExpiry: "2030-01-01T00:00:00.000Z",
        error: "The first try met a reset",
        responseBytes: 1_234,
      },
    });
    const recent = await post("checks/recent", { monitorId: own.id, limit: 3 });
    expect(recent.body).toMatchObject({
      checks: [
        {
          scheduledAt: new Date(lastMs).toISOString(),
          probeRegion: "eu-1",
          status: "degraded",
          sslValid: true,
          error: "The first try met a reset",
        },
        {
          scheduledAt: new Date(lastMs).toISOString(),
          probeRegion: "local",
          status: "up",
          sslValid: false,
          error: null,
        },
        { scheduledAt: new Date(lastMs - hourMs).toISOString(), status: "down", httpCode: 503 },
      ],
    });
    const all = await post("checks/recent", { monitorId: own.id });
    expect((all.body as { checks: unknown[] }).checks).toHaveLength(50);
    for (const limit of [0, 1_001])
      expect((await post("checks/recent", { monitorId: own.id, limit })).body).toMatchObject({
        details: [{ field: "limit" }],
      });
  });

  test("are unknown if a check was missed since the last one", async () => {
    const own = await insertMonitor(website);
    const dueMs = Math.floor(Date.now() / minuteMs) * minuteMs - 5 * minuteMs + own.phaseMs;
    await writeChecks(own, [{ dueMs, region: "local", status: "up" }]);
    expect((await post("status", { monitorId: own.id })).body).toMatchObject({
      status: "unknown",
      lastCheckAt: new Date(dueMs + 5).toISOString(),
      uptime: { "24h": 100 },
    });
  });

  test("show when a late check ran, and for which slot", async () => {
    const own = await insertMonitor(website, { intervalMs: dayMs });
    const dueMs = slotAt(Date.now(), own.intervalMs, own.phaseMs);
    const madeMs = dueMs + 4 * minuteMs;
    await writeChecks(own, [{ dueMs, region: "local", status: "up", more: { startedMs: madeMs } }]);
    const times = { timestamp: new Date(madeMs).toISOString(), scheduledAt: new Date(dueMs).toISOString() };
    expect((await post("status", { monitorId: own.id })).body).toMatchObject({
      status: "up",
      lastCheckAt: times.timestamp,
      lastCheck: times,
    });
    expect((await post("checks/recent", { monitorId: own.id })).body).toMatchObject({ checks: [times] });
  });

  test.each([
    ["a slot was missed", null],
    ["a slot was passed over because it was too late", 1],
  ])("are unknown on the same day for a daily monitor of which %s", async (_, passedOver) => {
    const nowMs = Date.now();
    const phaseMs = (nowMs - hourMs) % dayMs;
    const dueMs = nowMs - hourMs;
    const schedules = [{ fromMs: nowMs - 10 * dayMs, untilMs: null }];
    const own = await insertMonitor(website, { intervalMs: dayMs, phaseMs, schedules });
    await writeChecks(own, [{ dueMs: dueMs - dayMs, region: "local", status: "up" }]);
    await inDatabase((database) =>
      database.query(
        `UPDATE monitors SET status = 'active', unchecked_due_at = CASE WHEN $3 THEN to_timestamp($2::float8 / 1000) END WHERE id = $1`,
        [own.id, dueMs, passedOver !== null],
      ),
    );
    const { body } = await post("status", { monitorId: own.id });
    await inDatabase((database) => database.query("UPDATE monitors SET status = 'paused' WHERE id = $1", [own.id]));
    // A stuck monitor shows the overdue check; a running one shows the next one.
    const nextMs = passedOver === null ? dueMs : dueMs + dayMs;
    expect(body).toMatchObject({ status: "unknown", nextCheckAt: new Date(nextMs).toISOString() });
  });
});
