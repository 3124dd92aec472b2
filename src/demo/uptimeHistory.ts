import type { Stores } from "../main/compose.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import type { RowWriter } from "../store/write/rowWriter.ts";
import { dayMs, minuteMs } from "../time/utcDay.ts";
import type { CheckStatus } from "../uptime/check/checkTypes.ts";
import { checkRows } from "../uptime/state/checkRows.ts";
import { slotAfter } from "../uptime/state/slots.ts";
import { demoDays } from "./demoWebsite.ts";
import { SeededRandom } from "./randomOf.ts";

/** A monitor of the demo that the API has made. */
export type DemoMonitor = {
  readonly id: string;
  readonly websiteId: string;
  readonly intervalMs: number;
  readonly phaseMs: number;
  /** Unix ms. */
  readonly createdMs: number;
  readonly region: string;
};

/** A time in which a monitor was down, Unix ms, and the incident's id. */
export type Outage = { readonly incidentId: string; readonly startedMs: number; readonly resolvedMs: number };

/** The outage: twelve days ago, at 14:05 UTC, for 47 minutes. */
function outageOf(nowMs: number): { readonly fromMs: number; readonly untilMs: number } {
  const fromMs = Math.floor(nowMs / dayMs) * dayMs - 12 * dayMs + 14 * 60 * minuteMs + 5 * minuteMs;
  return { fromMs, untilMs: fromMs + 47 * minuteMs };
}

/**
 * Stores checks of the last 90 days until now, with an outage, some slow evenings and half a day without checks. Past
 * checks cannot be made over the API: they are stored as the worker stores its own. Safe to repeat.
 */
export async function storeHistory(
  monitor: DemoMonitor,
  { postgres }: Stores,
  writer: RowWriter,
  { nowMs, isAffected }: { readonly nowMs: number; readonly isAffected: boolean },
): Promise<Outage | undefined> {
  const firstMs = Math.floor(nowMs / dayMs) * dayMs - (demoDays - 1) * dayMs;
  const random = new SeededRandom(`lookout demo ${monitor.intervalMs} ${isAffected}`);
  const outage = isAffected ? outageOf(nowMs) : undefined;
  const gapMs = firstMs + 52 * dayMs;
  const downMs: number[] = [];
  let rows: ReturnType<typeof checkRows> = [];
  for (let dueMs = slotAfter(firstMs, monitor.intervalMs, monitor.phaseMs); ; dueMs += monitor.intervalMs) {
    const untilMs = dueMs + monitor.intervalMs;
    // Slots from then on are checked.
    if (dueMs >= monitor.createdMs) break;
    // The machine was off.
    if (dueMs >= gapMs && dueMs < gapMs + 9 * 60 * minuteMs) continue;
    const isDown = outage !== undefined && dueMs >= outage.fromMs && dueMs < outage.untilMs;
    if (isDown) downMs.push(dueMs);
    const answer = { region: monitor.region, outcome: outcomeAt(dueMs, isDown, random) };
    const slot = { monitorId: monitor.id, websiteId: monitor.websiteId, dueMs, untilMs };
    rows.push(...checkRows(slot, [answer], answer.outcome.status));
    if (rows.length >= 5_000) {
      await writer.write(rows);
      rows = [];
    }
  }
  await writer.write(rows);
  const [startedMs] = downMs;
  const incident =
    startedMs === undefined
      ? undefined
      : {
          incidentId: `${monitor.id}/${startedMs}`,
          startedMs,
          resolvedMs: (downMs.at(-1) ?? startedMs) + monitor.intervalMs,
        };
  await inTransaction(postgres, async (client) => {
    // The checks are of scheduled slots, so those that are missing count as unknown.
    await client.query(
      "UPDATE monitor_schedules SET from_at = to_timestamp($2::float8 / 1000) WHERE monitor_id = $1 AND until_at IS NULL",
      [monitor.id, firstMs],
    );
    if (incident === undefined) return;
    await client.query(
      `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions, opened_at)
       VALUES ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), 'HTTP 503', $5, $6, to_timestamp($3::float8 / 1000))
       ON CONFLICT (id) DO NOTHING`,
      [incident.incidentId, monitor.id, incident.startedMs, incident.resolvedMs, downMs.length, [monitor.region]],
    );
  });
  return incident;
}

function outcomeAt(dueMs: number, isDown: boolean, random: SeededRandom) {
  const hour = new Date(dueMs).getUTCHours();
  // Some evenings are slow.
  const isSlow = !isDown && Math.floor(dueMs / dayMs) % 23 === 0 && hour >= 18 && hour < 21 && random.chance(0.3);
  const totalMs = Math.round((isSlow ? 5_200 : 70) + random.next() ** 3 * 260 + (hour >= 8 && hour < 20 ? 40 : 0));
  const status: CheckStatus = isDown ? "down" : isSlow ? "degraded" : "up";
  return {
    status,
    httpCode: isDown ? 503 : 200,
    dnsMs: 1 + random.below(4),
    connectMs: 2 + random.below(6),
    tlsMs: 0,
    ttfbMs: Math.round(totalMs * 0.8),
    totalMs,
    responseBytes: isDown ? 180 : 4_200 + random.below(300),
    startedMs: dueMs + 20 + random.below(80),
    finishedMs: dueMs + 100 + totalMs,
    attempts: isDown ? 2 : 1,
    ...(isDown ? { error: "HTTP 503" } : {}),
  };
}
