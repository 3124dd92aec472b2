import type { Pool } from "pg";
import type { StatusPageIncidentInit } from "../../gen/lookout/services.ts";
import { dayMs, utcDayOf } from "../../time/utcDay.ts";
import { maintenanceUntil } from "../maintenance/maintenanceUntil.ts";
import type { MaintenanceWindow } from "../maintenance/window.ts";
import { type Monitor, monitorColumns } from "../monitor/monitor.ts";
import { durationOf, type Incident } from "../state/incident.ts";
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
import type { LastSlot, SpanSlots } from "./slotReader.ts";

/** The status of a page is the first of these that one of its monitors has. */
const worstFirst = ["down", "degraded", "unknown", "maintenance", "up"] as const;

/** The status of several monitors together; paused ones do not count. */
export function worstStatus(monitors: readonly { readonly status: string }[]): (typeof worstFirst)[number] {
  return worstFirst.find((status) => monitors.some((monitor) => monitor.status === status)) ?? "unknown";
}

/** The monitors of websites that a status page may show, by name. */
export async function monitorsOf(websiteIds: readonly string[], postgres: Pick<Pool, "query">): Promise<Monitor[]> {
  const { rows } = await postgres.query<Monitor>(
    `SELECT ${monitorColumns} FROM monitors WHERE website_id = ANY($1) AND deleted_at IS NULL AND status != 'stopped'
     ORDER BY options ->> 'name', id`,
    [websiteIds],
  );
  return rows;
}

/** A monitor of a status page; all members are set. Its uptime is 0 where nothing was checked. */
export type ShownMonitor = {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly uptimePercent: number;
  readonly days: {
    readonly date: string;
    readonly status: string;
    readonly uptimePercent: number;
    readonly coveragePercent: number;
  }[];
};

/** The uptime of a monitor over its days; undefined if it was checked on none. */
export function knownUptime({ days, uptimePercent }: ShownMonitor): number | undefined {
  return days.every(({ status }) => status === "unknown") ? undefined : uptimePercent;
}

/** What is known of a monitor and its website. */
export type MonitorFacts = {
  readonly nowMs: number;
  readonly days: number;
  readonly startMs: number;
  readonly figures: readonly SpanSlots[];
  readonly last: LastSlot | undefined;
  readonly scheduled: readonly ScheduledTime[];
  readonly windows: readonly MaintenanceWindow[];
};

/** A monitor as status pages show it. Its days begin at `startMs`. */
export function shownMonitor(monitor: Monitor, facts: MonitorFacts): ShownMonitor {
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

/** up, degraded, down, maintenance, paused or unknown. */
export function shownStatus(
  monitor: Monitor,
  { nowMs, last, windows }: Pick<MonitorFacts, "nowMs" | "last" | "windows">,
): string {
  if (monitor.status === "paused") return "paused";
  const isMaintained = maintenanceUntil(windows, monitor, nowMs) !== undefined;
  return isMaintained ? "maintenance" : statusNow(last, monitor, nowMs);
}

/** An incident as status pages show it, without its error. */
export function shownIncident(
  incident: Incident,
  names: ReadonlyMap<string, string>,
  nowMs: number,
): StatusPageIncidentInit {
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
