import type { Pool } from "pg";
import type { StatusPageIncidentInit } from "../../gen/lookout/services.ts";
import type { Questdbs } from "../../store/questdb/questdbs.ts";
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
import { type LastSlot, lastSlotsOf, readSlots, type SpanSlots } from "./slotReader.ts";

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

/** The days that a page shows, today included. Days are UTC. */
export type ShownDays = { readonly days: number; readonly nowMs: number };

/** The beginning of the first day that a page shows, Unix ms. */
export function firstDayMs({ days, nowMs }: ShownDays): number {
  return (Math.floor(nowMs / dayMs) - days + 1) * dayMs;
}

/** Longer than two of the longest intervals, so that the last slot of each monitor is among the days that are read. */
const minReadDays = 3;

/** The slots of monitors of the website `owner`, by the number of their day since 1970. */
export async function readDays(
  monitors: readonly Monitor[],
  { questdb, owner, signal }: { readonly questdb: Questdbs; readonly owner: string; readonly signal: AbortSignal },
  { days, nowMs }: ShownDays,
): Promise<SpanSlots[]> {
  const startMs = firstDayMs({ days: Math.max(days, minReadDays), nowMs });
  return await readSlots(
    { questdb: questdb.of(owner), options: { owner, signal } },
    monitors.map(({ id }) => id),
    { startMs, endMs: nowMs + 1 },
    { firstMs: 0, stepMs: dayMs },
  );
}

/** What is known of the monitors of a website. */
type MonitorFacts = {
  readonly slots: readonly SpanSlots[];
  readonly schedules: ReadonlyMap<string, readonly ScheduledTime[]>;
  readonly windows: readonly MaintenanceWindow[];
};

/** Monitors as status pages show them. */
export function shownMonitors(
  monitors: readonly Monitor[],
  { slots, schedules, windows }: MonitorFacts,
  shown: ShownDays,
): ShownMonitor[] {
  const { nowMs } = shown;
  const firstMs = firstDayMs(shown);
  const lastSlots = lastSlotsOf(slots);
  const slotsOf = Map.groupBy(slots, ({ monitorId }) => monitorId);
  return monitors.map((monitor) => {
    const last = lastSlots.get(monitor.id);
    const untilMs = Math.min(nowMs + 1, settledUntilMs(nowMs, monitor.timeoutMs, last?.dueMs));
    const byDay = new Map(slotsOf.get(monitor.id)?.map((each) => [each.span, each.slots]));
    const days = Array.from({ length: shown.days }, (_, day) => {
      const beginsMs = firstMs + day * dayMs;
      const due = dueSlots(schedules.get(monitor.id) ?? [], beginsMs, Math.min(beginsMs + dayMs, untilMs));
      return { date: utcDayOf(beginsMs), due, counts: byDay.get(beginsMs / dayMs) ?? noSlots };
    });
    return {
      id: monitor.id,
      name: monitor.options.name,
      status: shownStatus(monitor, { nowMs, last, windows }),
      uptimePercent: uptimePercent(sumOfSlots(days.map(({ counts }) => counts))),
      days: days.map(({ date, due, counts }) => ({
        date,
        status: statusOfSlots(counts),
        uptimePercent: uptimePercent(counts),
        coveragePercent: coveragePercent(counts, due),
      })),
    };
  });
}

/** up, degraded, down, maintenance, paused or unknown. */
export function shownStatus(
  monitor: Monitor,
  {
    nowMs,
    last,
    windows,
  }: { readonly nowMs: number; readonly last: LastSlot | undefined; readonly windows: readonly MaintenanceWindow[] },
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
