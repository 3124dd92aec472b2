import type { Pool } from "pg";
import type { GetStatusReply, UptimeFiguresInit } from "../../gen/lookout/services.ts";
import type { GetStatusRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import { dayMs } from "../../time/utcDay.ts";
import { findMonitor } from "../monitor/findMonitor.ts";
import { type Incident, incidentColumns, incidentMessage } from "../state/incident.ts";
import { uncheckedSlotMs } from "../state/recordUncheckedSlot.ts";
import { slotAfter } from "../state/slots.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { latestCheckMessage } from "./checkMessage.ts";
import {
  coveragePercent,
  dueSlots,
  missedSlotMs,
  settledUntilMs,
  statusNow,
  sumOfSlots,
  uptimePercent,
} from "./figures.ts";
import { scheduledTimes } from "./scheduledTimes.ts";
import { lastSlotOf, readLastSlot, readSlotsBetween } from "./slotReader.ts";

/** Days of each figure, shortest first. */
const figureDays = { last24h: 1, last7d: 7, last30d: 30, last90d: 90 } as const;
const days = Object.values(figureDays);
const maxDays = 90;

/**
 * POST /uptime/status (specification 4.12): the current status of a monitor and its figures up to now. The status is
 * unknown before the first check and when a later check was missed. Rejects with NOT_FOUND.
 */
export async function getStatus({ monitorId }: GetStatusRequest, call: UptimeCall): Promise<GetStatusReply> {
  const monitor = await findMonitor(monitorId, call);
  const { id, websiteId, timeoutMs } = monitor;
  const { questdb, postgres } = call.app;
  const reader = { questdb: questdb.of(websiteId), options: { owner: websiteId, signal: call.signal } };
  const nowMs = Date.now();
  const startMs = nowMs - maxDays * dayMs;
  // From the beginning of the longest figure, via those of the shorter ones, to now.
  const edgesMs = [...days.map((count) => nowMs - count * dayMs).reverse(), nowMs + 1];
  const [counts, lastRows, times, incident, uncheckedMs] = await Promise.all([
    readSlotsBetween(reader, id, edgesMs),
    readLastSlot(reader, id),
    scheduledTimes(postgres, [id], startMs, nowMs),
    ongoingIncident(postgres, id),
    uncheckedSlotMs(postgres, id),
  ]);
  const [first] = lastRows;
  const last = first === undefined ? undefined : latestCheckMessage(representativeRow(lastRows, first));
  const slot = first === undefined ? undefined : lastSlotOf(first);
  const since = times.get(id)?.find((time) => time.untilMs === null);
  const progress = { ...monitor, dueFromMs: since?.fromMs ?? nowMs, uncheckedMs };
  // A stuck monitor shows the slot that it missed.
  const nextMs = missedSlotMs(slot?.dueMs, progress, nowMs) ?? slotAfter(nowMs, monitor.intervalMs, monitor.phaseMs);
  const untilMs = Math.min(nowMs + 1, settledUntilMs(nowMs, timeoutMs, slot?.dueMs));
  const slotsOf = (place: number) => sumOfSlots(counts.slice(counts.length - 1 - place));
  const dueOf = (place: number) => dueSlots(times.get(id) ?? [], nowMs - (days[place] ?? 0) * dayMs, untilMs);
  return {
    status: statusNow(slot, monitor, nowMs),
    ...(last === undefined ? {} : { lastCheckAt: last.timestamp, lastCheck: last }),
    ...(monitor.status === "active" ? { nextCheckAt: new Date(nextMs).toISOString() } : {}),
    uptime: figures((place) => uptimePercent(slotsOf(place))),
    coverage: figures((place) => coveragePercent(slotsOf(place), dueOf(place))),
    ...(incident === undefined ? {} : { incident: incidentMessage(incident, monitor, call) }),
  };
}

function figures(of: (place: number) => number): UptimeFiguresInit {
  return { last24h: of(0), last7d: of(1), last30d: of(2), last90d: of(3) };
}

/** A region of the slot whose result equals the joint decision. */
function representativeRow(rows: readonly Row[], first: Row): Row {
  return rows.find((row) => row["status"] === row["slot_status"]) ?? first;
}

/** The open incident of a monitor; undefined without one. */
async function ongoingIncident(postgres: Pool, monitorId: string): Promise<Incident | undefined> {
  const { rows } = await postgres.query<Incident>(
    `SELECT ${incidentColumns} FROM incidents WHERE monitor_id = $1 AND resolved_at IS NULL ORDER BY started_at DESC LIMIT 1`,
    [monitorId],
  );
  return rows[0];
}
