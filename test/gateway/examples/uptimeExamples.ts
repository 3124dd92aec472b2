import { expect } from "vitest";
import { pngOf } from "../../kit/calls/png.ts";
import { send } from "../../kit/calls/request.ts";
import type { TestWebsite } from "../../kit/calls/website.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { insertMonitor, writeChecks } from "../../kit/stores/monitorFixture.ts";
import type { Recorder } from "./recorder.ts";

const minuteMs = 60_000;

/** Monitors, incidents, notifications and maintenance windows. */
export async function recordUptime(recorder: Recorder, website: TestWebsite): Promise<void> {
  await recordMonitors(recorder, website);
  await recordFigures(recorder, website);
  await recordChannels(recorder, website);
  await recordMaintenance(recorder, website);
  await recordStatusPages(recorder, website);
}

async function recordMonitors(recorder: Recorder, { websiteId }: TestWebsite): Promise<void> {
  const created = { websiteId, url: "https://example.com/", interval: "24h", name: "Shop", keyword: "Example" };
  const { id } = await recorder.call("createMonitor", { body: created });
  await recorder.refusal("createMonitor", { body: { ...created, url: "example.com" } });
  await recorder.call("getMonitor", { body: { id } });
  await recorder.call("updateMonitor", { body: { id, timeout: 10_000, expectedStatus: ["200", "204"] } });
  await recorder.call("pauseMonitor", { body: { id } });
  await recorder.call("resumeMonitor", { body: { id } });
  await recorder.call("listMonitors", { body: { websiteId } });
  // Names below .invalid never resolve, so no check leaves the machine.
  const unreachable = { websiteId, url: "https://shop.invalid/", interval: "24h" };
  await recorder.call("testMonitor", { body: { monitor: unreachable } });
  await recorder.call("updateMonitor", { body: { id, url: unreachable.url } });
  await recorder.call("checkNow", { body: { id } });
  await recorder.call("deleteMonitor", { body: { id } });
}

async function recordFigures(recorder: Recorder, website: TestWebsite): Promise<void> {
  const { websiteId } = website;
  const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  const startMs = nowMs - 60 * minuteMs;
  const schedules = [{ fromMs: startMs, untilMs: null }];
  const monitor = await insertMonitor(website, { name: "Shop", phaseMs: 0, schedules });
  await writeChecks(
    monitor,
    Array.from({ length: 50 }, (_, index) => ({
      dueMs: startMs + index * minuteMs,
      region: "local",
      status: index >= 10 && index < 14 ? ("down" as const) : ("up" as const),
    })),
  );
  const openMs = nowMs - 5 * minuteMs;
  const overMs = startMs + 10 * minuteMs;
  await inDatabase((database) =>
    database.query(
      `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions)
       SELECT $1 || '/' || ms, $1, to_timestamp(ms::float8 / 1000), CASE WHEN is_over THEN to_timestamp(ms::float8 / 1000 + 240) END, 'HTTP 503', 4, '{local}'
       FROM (VALUES ($2::bigint, false), ($3::bigint, true)) AS incidents (ms, is_over)`,
      [monitor.id, openMs, overMs],
    ),
  );
  const monitorId = monitor.id;
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const days = { dateFrom: yesterday, dateTo: today };
  await recorder.call("getStatus", { body: { monitorId } });
  await recorder.call("listRecentChecks", { body: { monitorId, limit: 2 } });
  await recorder.call("getHistory", { body: { monitorId, ...days, granularity: "1d" } });
  await recorder.call("listIncidents", { body: { monitorId, ...days } });
  const written = { incidentId: `${monitorId}/${overMs}`, text: "The disk of the database was full." };
  const note = await recorder.call("createIncidentNote", { body: written });
  await recorder.refusal("createIncidentNote", { body: { ...written, text: " " } });
  await recorder.call("getIncident", { body: { id: `${monitorId}/${overMs}` } });
  await recorder.call("deleteIncidentNote", { body: { id: note["id"] } });
  await recorder.call("getStatusPage", { query: { website_id: websiteId, days: "2" } });
  await recorder.call("acknowledgeIncident", { body: { id: `${monitorId}/${openMs}`, by: "Ada" } });
  await recorder.refusal("acknowledgeIncident", { body: { id: `${monitorId}/${overMs}` } });
}

async function recordChannels(recorder: Recorder, { apiKey }: TestWebsite): Promise<void> {
  const { channel } = await recorder.call("createNotificationChannel", {
    body: { name: "Ops", kind: "webhook", target: "https://hooks.example.com/lookout" },
  });
  const id = channel?.["id"];
  await recorder.call("listNotificationChannels", { body: {} });
  await recorder.call("testNotificationChannel", { body: { id } });
  const list = { channelId: id, limit: 10 };
  const deliveries = async () => {
    const answer = await send("POST", "/uptime/deliveries/list", { apiKey, body: list });
    return (answer.body as { deliveries: unknown[] }).deliveries.length;
  };
  await expect.poll(deliveries).toBeGreaterThan(0);
  await recorder.call("listDeliveries", { body: list });
  await recorder.call("updateNotificationChannel", { body: { id, name: "On call" } });
  await recorder.call("deleteNotificationChannel", { body: { id } });
}

async function recordMaintenance(recorder: Recorder, { websiteId }: TestWebsite): Promise<void> {
  const { id } = await recorder.call("createMaintenanceWindow", {
    body: { websiteId, title: "New disks", startsAt: "2099-12-01T02:00:00Z", endsAt: "2099-12-01T04:00:00Z" },
  });
  await recorder.call("listMaintenanceWindows", { body: { websiteId } });
  await recorder.call("deleteMaintenanceWindow", { body: { id } });
}

async function recordStatusPages(recorder: Recorder, website: TestWebsite): Promise<void> {
  const { websiteId } = website;
  const monitor = await insertMonitor(website, { name: "Payments" });
  const created = {
    websiteId,
    slug: "example-shop",
    title: "Status of the shop",
    logoText: "Example",
    groups: [{ name: "Customers", monitorIds: [monitor.id] }],
  };
  const { id } = await recorder.call("createStatusPage", { body: created });
  await recorder.refusal("createStatusPage", { body: created });
  await recorder.call("updateStatusPage", { body: { id, published: true } });
  await recorder.call("setStatusPageLogo", { body: { id, image: pngOf(8, 4).toString("base64") } });
  await recorder.refusal("setStatusPageLogo", { body: { id, image: btoa("<svg/>") } });
  const preview = { websiteId, pageId: id, title: "Status of our shop", accentColor: "#c75000" };
  await recorder.call("previewStatusPage", { body: preview });
  await recorder.call("listStatusPages", { body: { websiteId } });
  const report = await recorder.call("createStatusReport", {
    body: {
      pageId: id,
      title: "Slow payments",
      status: "investigating",
      text: "Some payments take longer than a minute.",
      monitorIds: [monitor.id],
    },
  });
  const posted = { id: report["id"], status: "resolved", text: "Payments are as fast as before." };
  await recorder.call("postStatusReportUpdate", { body: posted });
  await recorder.call("listStatusReports", { body: { pageId: id } });
  await recorder.call("deleteStatusReport", { body: { id: report["id"] } });
  await recorder.call("deleteStatusPage", { body: { id } });
}
