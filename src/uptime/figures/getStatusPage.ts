import { findShownWebsite } from "../../access/findShownWebsite.ts";
import type { GetStatusPageReply, StatusPageMonitorInit } from "../../gen/lookout/services.ts";
import type { GetStatusPageRequest } from "../../gen/lookout/v1/status_page_pb.ts";
import { readWindows, windowMessage } from "../maintenance/window.ts";
import { notFound } from "../monitor/findMonitor.ts";
import { incidentsIn } from "../state/incident.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { scheduledTimes } from "./scheduledTimes.ts";
import {
  firstDayMs,
  knownUptime,
  monitorsOf,
  readDays,
  type ShownMonitor,
  shownIncident,
  shownMonitors,
  worstStatus,
} from "./shownMonitor.ts";

const defaultDays = 90;

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
  const shown = { days, nowMs: Date.now() };
  const range = { startMs: firstDayMs(shown), endMs: shown.nowMs + 1 };
  const monitors = await monitorsOf([website.id], postgres);
  const monitorIds = monitors.map(({ id }) => id);
  const [slots, schedules, incidents, windows] = await Promise.all([
    readDays(monitors, { questdb, owner: website.id, signal: call.signal }, shown),
    scheduledTimes(postgres, monitorIds, range.startMs, range.endMs),
    incidentsIn(postgres, monitorIds, range),
    readWindows(postgres, { websiteIds: [website.id], fromMs: shown.nowMs }),
  ]);
  const answered = shownMonitors(monitors, { slots, schedules, windows }, shown);
  const names = new Map(monitors.map(({ id, options }) => [id, options.name]));
  return {
    name: website.name,
    status: worstStatus(answered),
    monitors: answered.map(monitorMessage),
    incidents: incidents.map((incident) => shownIncident(incident, names, shown.nowMs)),
    maintenance: windows.map(windowMessage),
    updatedAt: new Date(shown.nowMs).toISOString(),
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
