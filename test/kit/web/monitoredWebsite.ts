import { createWebsite, type TestWebsite } from "../calls/website.ts";
import { inDatabase } from "../stores/inDatabase.ts";
import { insertMonitor, type TestMonitor, writeChecks } from "../stores/monitorFixture.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export type MonitoredWebsite = TestWebsite & { readonly monitor: TestMonitor; readonly incidentId: string };

/**
 * A website with a monitor that was checked every hour for 30 days: a day of them was missed, and it was down for three
 * hours a week ago and is now. A second monitor was never checked.
 */
export async function createMonitoredWebsite(): Promise<MonitoredWebsite> {
  const website = await createWebsite();
  const nowMs = Math.floor(Date.now() / hourMs) * hourMs;
  const startMs = nowMs - 30 * dayMs;
  const monitor = await insertMonitor(website, {
    name: "Shop",
    intervalMs: hourMs,
    phaseMs: 0,
    schedules: [{ fromMs: startMs, untilMs: null }],
  });
  await insertMonitor(website, { name: "Not checked yet", intervalMs: hourMs });
  const overMs = nowMs - 7 * dayMs;
  const ongoingMs = nowMs - 2 * hourMs;
  const isMissed = (dueMs: number): boolean => dueMs >= nowMs - 4 * dayMs && dueMs < nowMs - 3 * dayMs;
  const isDown = (dueMs: number): boolean => dueMs >= ongoingMs || (dueMs >= overMs && dueMs < overMs + 3 * hourMs);
  const dues = Array.from({ length: 30 * 24 + 1 }, (_, hour) => startMs + hour * hourMs);
  const ssl = { sslValid: true, sslExpiryMs: nowMs + 12 * dayMs };
  await writeChecks(
    monitor,
    dues
      .filter((dueMs) => !isMissed(dueMs))
      .map((dueMs, index) => ({
        dueMs,
        region: "local",
        status: isDown(dueMs) ? ("down" as const) : ("up" as const),
        more: {
          dnsMs: 4 + (index % 5),
          connectMs: 9 + (index % 7),
          tlsMs: 15 + (index % 11),
          ttfbMs: 60 + (index % 24) * 3,
          totalMs: 75 + (index % 24) * 4,
          ...ssl,
        },
      })),
  );
  const idOf = (ms: number): string => `${monitor.id}/${ms}`;
  await inDatabase(async (database) => {
    await database.query("UPDATE monitors SET created_at = to_timestamp($2::float8 / 1000) WHERE id = $1", [
      monitor.id,
      startMs,
    ]);
    for (const [ms, resolvedMs] of [
      [overMs, overMs + 3 * hourMs],
      [ongoingMs, null],
    ] as const)
      await database.query(
        `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions)
         VALUES ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), 'HTTP status 503, expected 200-299', 3, '{local}')`,
        [idOf(ms), monitor.id, ms, resolvedMs],
      );
  });
  return { ...website, monitor, incidentId: idOf(ongoingMs) };
}
