import { randomUUID } from "node:crypto";
import { whenApplied } from "../../../src/store/questdb/whenApplied.ts";
import type { CheckOutcome, CheckStatus } from "../../../src/uptime/check/checkTypes.ts";
import { checkRows } from "../../../src/uptime/state/checkRows.ts";
import { slotResult } from "../../../src/uptime/state/quorum.ts";
import type { TestWebsite } from "../calls/website.ts";
import { standardOptions } from "./addMonitor.ts";
import { inDatabase } from "./inDatabase.ts";
import { openQuestdb, openRowWriter } from "./testQuestdb.ts";

export type TestMonitor = { id: string; websiteId: string; intervalMs: number; phaseMs: number };

type Schedule = { fromMs: number; untilMs: number | null };

/** A monitor whose checks a test writes itself. By default it is paused, so that no worker checks it. */
export async function insertMonitor(
  website: TestWebsite,
  {
    intervalMs = 60_000,
    phaseMs = 17_000,
    status = "paused",
    name = "shop.example",
    schedules = [],
  }: { intervalMs?: number; phaseMs?: number; status?: string; name?: string; schedules?: readonly Schedule[] } = {},
): Promise<TestMonitor> {
  const id = randomUUID();
  const options = { ...standardOptions, name, degradedAfterMs: 5_000 };
  await inDatabase(async (database) => {
    await database.query(
      `INSERT INTO monitors (id, website_id, organization_id, url, interval_ms, phase_ms, timeout_ms, cache_bust, options, status, notified_revision)
       VALUES ($1, $2, $3, 'https://shop.invalid/', $4, $5, 1000, false, $6, $7, 1)`,
      [id, website.websiteId, website.organizationId, intervalMs, phaseMs, JSON.stringify(options), status],
    );
    for (const { fromMs, untilMs } of schedules)
      await database.query(
        `INSERT INTO monitor_schedules (monitor_id, from_at, until_at, interval_ms, phase_ms)
         VALUES ($1, to_timestamp($2::float8 / 1000), to_timestamp($3::float8 / 1000), $4, $5)`,
        [id, fromMs, untilMs, intervalMs, phaseMs],
      );
  });
  return { id, websiteId: website.websiteId, intervalMs, phaseMs };
}

/** The result of one region at one slot. */
export type Found = { dueMs: number; region: string; status: CheckStatus; more?: Partial<CheckOutcome> };

/** Writes checks as the worker stores them and resolves when queries see them. */
export async function writeChecks(monitor: TestMonitor, found: readonly Found[]): Promise<void> {
  const writer = openRowWriter();
  const reader = openQuestdb();
  try {
    const slots = Map.groupBy(found, ({ dueMs }) => dueMs);
    const rows = [...slots].flatMap(([dueMs, regions]) => {
      const answers = regions.map(({ region, status, more }) => ({ region, outcome: outcomeOf(dueMs, status, more) }));
      const slot = { monitorId: monitor.id, websiteId: monitor.websiteId, dueMs, untilMs: dueMs + monitor.intervalMs };
      return checkRows(slot, answers, slotResult(dueMs, answers, false).status);
    });
    await writer.write(rows);
    await whenApplied(reader, ["uptime_checks"], AbortSignal.timeout(30_000));
  } finally {
    await writer.close();
    await reader.close();
  }
}

function outcomeOf(dueMs: number, status: CheckStatus, more: Partial<CheckOutcome> = {}): CheckOutcome {
  return {
    status,
    httpCode: status === "down" ? 503 : 200,
    dnsMs: 1,
    connectMs: 2,
    tlsMs: 3,
    ttfbMs: 40,
    totalMs: 50,
    responseBytes: 1_234,
    startedMs: dueMs + 5,
    finishedMs: dueMs + 55,
    attempts: status === "down" ? 2 : 1,
    ...(status === "down" ? { error: "HTTP 503" } : {}),
    ...more,
  };
}
