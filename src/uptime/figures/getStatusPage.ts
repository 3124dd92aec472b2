import { isPublic, mayUse } from "../../access/authorize.ts";
import type { Website } from "../../access/websiteDirectory.ts";
import { ApiError } from "../../errors.ts";
import type { GetStatusPageReply, StatusPageIncidentInit, StatusPageMonitorInit } from "../../gen/lookout/services.ts";
import type { GetStatusPageRequest } from "../../gen/lookout/v1/status_page_pb.ts";
import { dayMs, utcDayOf } from "../../time/utcDay.ts";
import { maintenanceUntil } from "../maintenance/maintenanceUntil.ts";
import { type MaintenanceWindow, readWindows, windowMessage } from "../maintenance/window.ts";
import { notFound } from "../manage/findMonitor.ts";
import { type Monitor, monitorColumns } from "../manage/monitor.ts";
import { durationOf, type Incident, incidentsIn } from "../state/incident.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import {
  coveragePercent,
  dueSlots,
  noSlots,
  type ScheduledTime,
  settledUntilMs,
  statusNow,
  statusOfSlots,
  sumOfSlots,
  uptimePercent,
} from "./figures.ts";
import { scheduledTimes } from "./scheduledTimes.ts";
import { type LastSlot, readLastSlots, readSlots, type SpanSlots } from "./slotReader.ts";

const defaultDays = 90;

/** The status of a page is the first of these that one of its monitors has. */
const worstFirst = ["down", "degraded", "unknown", "maintenance", "up"] as const;

/**
 * GET /v1/status: the public status of a website's monitors, without URLs and errors. Days are UTC.
 *
 * Rejects with MISSING_WEBSITE_ID, AUTH_REQUIRED and NOT_FOUND.
 */
export async function getStatusPage(
  { websiteId, days = defaultDays }: GetStatusPageRequest,
  call: UptimeCall,
): Promise<GetStatusPageReply> {
  const website = await findShownWebsite(websiteId, call);
  const { questdb, postgres } = call.app;
  const nowMs = Date.now();
  const range = { startMs: (Math.floor(nowMs / dayMs) - days + 1) * dayMs, endMs: nowMs + 1 };
  const monitors = await monitorsOf(website.id, call);
  const monitorIds = monitors.map(({ id }) => id);
  const reader = { questdb, options: { owner: website.id, signal: call.signal } };
  const spans = { firstMs: range.startMs, stepMs: dayMs };
  const [figures, lastSlots, times, incidents, windows] = await Promise.all([
    readSlots(reader, monitorIds, range, spans),
    readLastSlots(reader, monitorIds, range),
    scheduledTimes(postgres, monitorIds, range.startMs, range.endMs),
    incidentsIn(postgres, monitorIds, range),
    readWindows(postgres, { websiteId: website.id, fromMs: nowMs }),
  ]);
  const figuresOf = Map.groupBy(figures, ({ monitorId }) => monitorId);
  const shown = monitors.map((monitor) =>
    shownMonitor(monitor, {
      nowMs,
      days,
      startMs: range.startMs,
      figures: figuresOf.get(monitor.id) ?? [],
      last: lastSlots.get(monitor.id),
      scheduled: times.get(monitor.id) ?? [],
      windows,
    }),
  );
  const names = new Map(monitors.map(({ id, options }) => [id, options.name]));
  return {
    name: website.name,
    status: worstFirst.find((status) => shown.some((monitor) => monitor.status === status)) ?? "unknown",
    monitors: shown,
    incidents: incidents.map((incident) => shownIncident(incident, names, nowMs)),
    maintenance: windows.map(windowMessage),
    updatedAt: new Date(nowMs).toISOString(),
  };
}

/** A live website that is public or that the caller may read. */
async function findShownWebsite(websiteId: string, { app, caller }: UptimeCall): Promise<Website> {
  if (websiteId === "")
    throw new ApiError("MISSING_WEBSITE_ID", "Add website_id to the query string to choose the website");
  const website = await app.websites.find(websiteId);
  const isReached =
    website !== undefined &&
    website.deletedAtMs === null &&
    (isPublic(website) || (caller !== undefined && mayUse(caller, website)));
  if (!isReached) throw notFound("website", "GET /v1/query/websites lists those of the key");
  return website;
}

async function monitorsOf(websiteId: string, { app }: UptimeCall): Promise<Monitor[]> {
  const { rows } = await app.postgres.query<Monitor>(
    `SELECT ${monitorColumns} FROM monitors WHERE website_id = $1 AND deleted_at IS NULL AND status != 'stopped'
     ORDER BY options ->> 'name', id`,
    [websiteId],
  );
  return rows;
}

type Facts = {
  readonly nowMs: number;
  readonly days: number;
  readonly startMs: number;
  readonly figures: readonly SpanSlots[];
  readonly last: LastSlot | undefined;
  readonly scheduled: readonly ScheduledTime[];
  readonly windows: readonly MaintenanceWindow[];
};

function shownMonitor(monitor: Monitor, facts: Facts): StatusPageMonitorInit & { status: string } {
  const { nowMs, days, startMs, figures, last, scheduled } = facts;
  const byDay = new Map(figures.map((figure) => [figure.span, figure.slots]));
  const untilMs = Math.min(nowMs + 1, settledUntilMs(nowMs, monitor.timeoutMs, last?.dueMs));
  return {
    id: monitor.id,
    name: monitor.options.name,
    status: shownStatus(monitor, facts),
    uptimePercent: uptimePercent(sumOfSlots(byDay.values())),
    days: Array.from({ length: days }, (_, day) => {
      const slots = byDay.get(day) ?? noSlots;
      const beginsMs = startMs + day * dayMs;
      return {
        date: utcDayOf(beginsMs),
        status: statusOfSlots(slots),
        uptimePercent: uptimePercent(slots),
        coveragePercent: coveragePercent(slots, dueSlots(scheduled, beginsMs, Math.min(beginsMs + dayMs, untilMs))),
      };
    }),
  };
}

function shownStatus(monitor: Monitor, { nowMs, last, windows }: Facts): string {
  if (monitor.status === "paused") return "paused";
  const isMaintained = maintenanceUntil(windows, monitor, nowMs) !== undefined;
  return isMaintained ? "maintenance" : statusNow(last, monitor, nowMs);
}

function shownIncident(incident: Incident, names: ReadonlyMap<string, string>, nowMs: number): StatusPageIncidentInit {
  const { resolvedMs } = incident;
  return {
    id: incident.id,
    monitorId: incident.monitorId,
    monitorName: names.get(incident.monitorId) ?? "",
    startedAt: new Date(incident.startedMs).toISOString(),
    ...(resolvedMs === null ? {} : { resolvedAt: new Date(resolvedMs).toISOString() }),
    durationMs: durationOf(incident, nowMs),
    status: resolvedMs === null ? "ongoing" : "resolved",
  };
}
