import type { Pool } from "pg";
import type { TimeRange } from "../../time/dates.ts";
import { type MaintenanceWindow, readWindows } from "../maintenance/window.ts";
import type { Monitor } from "../monitor/monitor.ts";
import { type Incident, incidentsIn } from "../state/incident.ts";
import { monitorsOf, shownStatus } from "./shownMonitor.ts";
import type { LastSlot } from "./slotReader.ts";

/** The state of a website is the first of these that one of its monitors has. */
const worstFirst = ["down", "degraded", "unknown", "maintenance", "up", "paused"] as const;

/** The monitors of some websites, with what PostgreSQL knows about their state now. */
export type Monitoring = {
  readonly monitors: readonly Monitor[];
  /** Oldest last. */
  readonly incidents: readonly Incident[];
  readonly windows: readonly MaintenanceWindow[];
  readonly nowMs: number;
};

/** The monitors of a website together, and its open incidents. */
export type SiteUptime = {
  /** `none`: it has no monitor. */
  readonly state: (typeof worstFirst)[number] | "none";
  /** The monitors that have the state. */
  readonly inState: number;
  /** The monitors that count: paused ones only if there are no others. */
  readonly monitors: number;
  readonly incidents: readonly (Pick<Incident, "id" | "monitorId" | "startedMs"> & { readonly monitorName: string })[];
};

/** What PostgreSQL knows of the monitors of websites that the caller may read. */
export async function readMonitoring(
  websiteIds: readonly string[],
  nowMs: number,
  postgres: Pool,
): Promise<Monitoring> {
  const monitors = await monitorsOf(websiteIds, postgres);
  const ids = monitors.map(({ id }) => id);
  const [incidents, windows] = await Promise.all([
    incidentsIn(postgres, ids, { startMs: nowMs, endMs: nowMs + 1 }),
    readWindows(postgres, { websiteIds, fromMs: nowMs, untilMs: nowMs }),
  ]);
  return { monitors, incidents: incidents.filter(({ resolvedMs }) => resolvedMs === null), windows, nowMs };
}

/** The time in which the last slot of each running monitor is, unless one was missed. */
export function lastSlotsRange({ monitors, nowMs }: Pick<Monitoring, "monitors" | "nowMs">): TimeRange {
  const running = monitors.filter(({ status }) => status === "active");
  const longestMs = Math.max(0, ...running.map(({ intervalMs, timeoutMs }) => 3 * intervalMs + 2 * timeoutMs));
  return { startMs: nowMs - longestMs - 60_000, endMs: nowMs + 1 };
}

/**
 * What is known of the monitors of each website together. Monitors and incidents are grouped once, since an organization may have many websites with
 * many monitors each.
 */
export function siteUptimes(
  { monitors, incidents, windows, nowMs }: Monitoring,
  lastSlots: ReadonlyMap<string, LastSlot>,
): (websiteId: string) => SiteUptime {
  const monitorsOfSite = Map.groupBy(monitors, ({ websiteId }) => websiteId);
  const monitorById = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const incidentsOfSite = Map.groupBy(incidents, ({ monitorId }) => monitorById.get(monitorId)?.websiteId);
  return (websiteId) => {
    const own = monitorsOfSite.get(websiteId) ?? [];
    const statuses = own.map((monitor) => shownStatus(monitor, { nowMs, last: lastSlots.get(monitor.id), windows }));
    const running = statuses.filter((status) => status !== "paused");
    const counted = running.length === 0 ? statuses : running;
    const state = worstFirst.find((name) => counted.includes(name)) ?? "none";
    return {
      state,
      inState: counted.filter((status) => status === state).length,
      monitors: counted.length,
      incidents: (incidentsOfSite.get(websiteId) ?? []).map(({ id, monitorId, startedMs }) => ({
        id,
        monitorId,
        monitorName: monitorById.get(monitorId)?.options.name ?? "",
        startedMs,
      })),
    };
  };
}
