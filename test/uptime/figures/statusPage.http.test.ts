import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, inject, test } from "vitest";
import { StatusPageService } from "../../../src/gen/lookout/v1/status_page_pb.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { type Found, insertMonitor, writeChecks } from "../../kit/stores/monitorFixture.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const page = (websiteId: string, apiKey?: string, more = "") =>
  send("GET", `/v1/status?website_id=${websiteId}${more}`, apiKey === undefined ? {} : { apiKey });

test("status page: a monitor that is checked rarely has the status of its last check, which may be of a day before", async () => {
  const website = await createWebsite({ publicAccess: true });
  // The next slot is in an hour, and the last one was 23 hours ago.
  const schedule = { intervalMs: dayMs, phaseMs: (Date.now() + hourMs) % dayMs };
  const schedules = [{ fromMs: todayMs - 3 * dayMs, untilMs: null }];
  const api = await insertMonitor(website, { name: "Api", status: "active", schedules, ...schedule });
  const lastMs = Math.floor((Date.now() - schedule.phaseMs) / dayMs) * dayMs + schedule.phaseMs;
  await writeChecks(api, [{ dueMs: lastMs, region: "local", status: "up" }]);
  const { body } = await page(website.websiteId, undefined, "&days=1");
  const known = lastMs >= todayMs ? 100 : null;
  const days = [{ date: dayText(todayMs), uptimePercent: known }];
  expect(body).toMatchObject({ status: "up", monitors: [{ status: "up", uptimePercent: known, days }] });
});

test("status page: days, incidents and maintenance of a public website, without credentials, URLs and errors", async () => {
  const website = await createWebsite({ publicAccess: true });
  const schedules = [{ fromMs: todayMs - 3 * dayMs, untilMs: null }];
  const shop = await insertMonitor(website, { name: "Shop", intervalMs: hourMs, phaseMs: 0, schedules });
  await insertMonitor(website, { name: "Gone", status: "stopped" });
  // Far apart slots, so that no worker checks it while the test runs.
  const api = await insertMonitor(website, { name: "Api", status: "active", intervalMs: dayMs, phaseMs: 0, schedules });
  const unseen = await insertMonitor(website, { name: "New", status: "active", intervalMs: dayMs, phaseMs: 0 });
  const checks: Found[] = [];
  for (let hour = -72; hour < 0; hour += 1) {
    // Three days ago a quarter was down, the day before yesterday all of it, and of yesterday half is unknown.
    const isDown = hour < -66 || (hour >= -48 && hour < -24);
    if (hour >= -24 && hour % 2 === 0) continue;
    checks.push({ dueMs: todayMs + hour * hourMs, region: "local", status: isDown ? "down" : "up" });
  }
  await writeChecks(shop, checks);
  await writeChecks(api, [{ dueMs: todayMs, region: "local", status: "degraded" }]);
  const openMs = todayMs - 2 * dayMs;
  await inDatabase(async (database) => {
    await database.query(
      `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions)
       VALUES ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($3::float8 / 1000 + 86400), 'secret.internal refused', 24, '{local}')`,
      [`${shop.id}/${openMs}`, shop.id, openMs],
    );
  });
  const closed = { status: "up", uptimePercent: 100, coveragePercent: 100 };
  const answer = await page(website.websiteId, undefined, "&days=4");
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    name: "Test",
    status: "degraded",
    monitors: [
      { id: api.id, name: "Api", status: "degraded", uptimePercent: 100 },
      { id: unseen.id, name: "New", status: "unknown", uptimePercent: null },
      {
        id: shop.id,
        name: "Shop",
        status: "paused",
        days: [
          { ...closed, date: dayText(todayMs - 3 * dayMs), status: "degraded", uptimePercent: 75 },
          { ...closed, date: dayText(todayMs - 2 * dayMs), status: "down", uptimePercent: 0 },
          { ...closed, date: dayText(todayMs - dayMs), coveragePercent: 50 },
          { date: dayText(todayMs), status: "unknown", uptimePercent: null, coveragePercent: 0 },
        ],
      },
    ],
    incidents: [
      {
        monitorId: shop.id,
        monitorName: "Shop",
        startedAt: new Date(openMs).toISOString(),
        durationMs: dayMs,
        status: "resolved",
      },
    ],
    maintenance: [],
  });
  const text = JSON.stringify(answer.body);
  expect(text).not.toContain("shop.invalid");
  expect(text).not.toContain("secret.internal");

  const window = {
    websiteId: website.websiteId,
    monitorIds: [api.id],
    title: "New database",
    startsAt: new Date(Date.now() - hourMs).toISOString(),
    endsAt: new Date(Date.now() + hourMs).toISOString(),
  };
  await send("POST", "/uptime/maintenance/create", { body: window, apiKey: website.apiKey });
  const client = createClient(StatusPageService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
  const maintained = await client.getStatusPage({ websiteId: website.websiteId });
  expect(maintained).toMatchObject({
    status: "unknown",
    monitors: [{ name: "Api", status: "maintenance" }, { name: "New" }, { name: "Shop" }],
    maintenance: [{ title: "New database", monitorIds: [api.id] }],
  });
  expect(maintained.monitors[0]?.days).toHaveLength(90);
});

test("status page: a website that is not public needs a key that reaches it", async () => {
  const [website, other] = await Promise.all([createWebsite(), createWebsite()]);
  expect((await page(website.websiteId)).status).toBe(401);
  expect(await page(website.websiteId, other.apiKey)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await page(website.websiteId, website.apiKey)).toMatchObject({
    status: 200,
    body: { status: "unknown", monitors: [], incidents: [] },
  });
  expect(await page("", website.apiKey)).toMatchObject({ status: 400, body: { code: "MISSING_WEBSITE_ID" } });
  expect(await page(website.websiteId, website.apiKey, "&days=91")).toMatchObject({
    status: 400,
    body: { details: [{ field: "days" }] },
  });
});
