import { findShownWebsite } from "../../access/findShownWebsite.ts";
import type { GetStatusPageReply, StatusPageMonitorInit } from "../../gen/lookout/services.ts";
import type { GetStatusPageRequest } from "../../gen/lookout/v1/status_page_pb.ts";
import { dayMs } from "../../time/utcDay.ts";
import { readWindows, windowMessage } from "../maintenance/window.ts";
import { notFound } from "../monitor/findMonitor.ts";
import { incidentsIn } from "../state/incident.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { scheduledTimes } from "./scheduledTimes.ts";
import {
  knownUptime,
  monitorsOf,
  type ShownMonitor,
  shownIncident,
  shownMonitor,
  worstStatus,
} from "./shownMonitor.ts";
import { lastSlotsOf, readSlots } from "./slotReader.ts";

const defaultDays = 90;
/** Longer than two of the longest intervals, so that the last slot of each monitor is among the days that are read. */
const minReadDays = 3;

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
  if (website === undefined) throw notFound("website", "GET /v1/query/websites lists those of the key");
  const { questdb, postgres } = call.app;
  const nowMs = Date.now();
  const range = { startMs: (Math.floor(nowMs / dayMs) - days + 1) * dayMs, endMs: nowMs + 1 };
  const monitors = await monitorsOf([website.id], postgres);
  const monitorIds = monitors.map(({ id }) => id);
  // The first day shown, as a number of the days that are read.
  const firstDay = Math.max(0, minReadDays - days);
  const readRange = { ...range, startMs: range.startMs - firstDay * dayMs };
  const reader = { questdb: questdb.of(website.id), options: { owner: website.id, signal: call.signal } };
  const spans = { firstMs: readRange.startMs, stepMs: dayMs };
  const [slots, times, incidents, windows] = await Promise.all([
    readSlots(reader, monitorIds, readRange, spans),
    scheduledTimes(postgres, monitorIds, range.startMs, range.endMs),
    incidentsIn(postgres, monitorIds, range),
    readWindows(postgres, { websiteIds: [website.id], fromMs: nowMs }),
  ]);
  const lastSlots = lastSlotsOf(slots);
  const figures = slots.filter(({ span }) => span >= firstDay).map((slot) => ({ ...slot, span: slot.span - firstDay }));
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
    status: worstStatus(shown),
    monitors: shown.map(monitorMessage),
    incidents: incidents.map((incident) => shownIncident(incident, names, nowMs)),
    maintenance: windows.map(windowMessage),
    updatedAt: new Date(nowMs).toISOString(),
  };
}

/** Without checks the uptime is unknown, and no 0. */
function monitorMessage(monitor: ShownMonitor): StatusPageMonitorInit {
  return {
    ...monitor,
    uptimePercent: knownUptime(monitor),
    days: monitor.days.map((day) => ({
      ...day,
      uptimePercent: day.status === "unknown" ? undefined : day.uptimePercent,
    })),
  };
}
