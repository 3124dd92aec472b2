import { dayMs, utcDayOf } from "../../../time/utcDay.ts";
import { firstDayMs, type ShownMonitor, worstStatus } from "../../figures/shownMonitor.ts";
import type { MaintenanceWindow } from "../../maintenance/window.ts";
import type { Monitor } from "../../monitor/monitor.ts";
import { previewToken } from "../manage/previewToken.ts";
import type { StatusPage } from "../manage/statusPage.ts";
import type { ReportUpdate } from "../manage/statusReport.ts";
import { shownDays } from "./pageFacts.ts";
import type { PageSnapshot } from "./publicStatusPages.ts";

/** The status of a page: that of its monitors, and `incident` while only a report of operators is open. */
export type OverallStatus = "up" | "degraded" | "down" | "maintenance" | "unknown" | "incident";

/** Something that happened: a report of operators, or an incident of a monitor that no report explains. */
export type PageEvent = {
  readonly id: string;
  /** Undefined for an incident without a report: its title is made of the monitor's name. */
  readonly title: string | undefined;
  readonly monitorIds: readonly string[];
  readonly monitorNames: readonly string[];
  readonly startedMs: number;
  readonly resolvedMs: number | undefined;
  /** Newest first. */
  readonly updates: readonly ReportUpdate[];
};

export type PageWindow = Pick<MaintenanceWindow, "id" | "title" | "startsMs" | "endsMs"> & {
  readonly hasBegun: boolean;
  /** Empty: all. */
  readonly monitorNames: readonly string[];
};

/** All that a status page shows, in no language yet. Times are Unix ms. */
export type PageView = Pick<StatusPage, "slug" | "title" | "logoText" | "description" | "accentColor" | "logo"> & {
  /** Whether it shows settings that are not kept. */
  readonly isPreview: boolean;
  /** Whether the states are those of now; else they are the last known ones. */
  readonly isCurrent: boolean;
  /** Never `up` unless the states are current. */
  readonly status: OverallStatus;
  /** When the states were read; undefined if never. */
  readonly statesMs: number | undefined;
  /** When the rest was read. */
  readonly factsMs: number;
  readonly groups: readonly { readonly name: string; readonly monitors: readonly ShownMonitor[] }[];
  readonly ongoing: readonly PageEvent[];
  readonly past: readonly PageEvent[];
  readonly windows: readonly PageWindow[];
};

/** What a page shows of a snapshot. Pure. */
export function pageView({ facts, states }: PageSnapshot, isCurrent: boolean): PageView {
  const { page, readMs } = facts;
  const groups = facts.groups.map(({ name, monitors }) => ({
    name,
    monitors: monitors.map((monitor) => states?.monitors.get(monitor.id) ?? unknownMonitor(monitor, readMs)),
  }));
  const names = new Map(facts.groups.flatMap(({ monitors }) => monitors.map(({ id, options }) => [id, options.name])));
  const events = eventsOf(facts, names);
  const ongoing = events.filter(({ resolvedMs }) => resolvedMs === undefined);
  const status = isCurrent ? overallStatus(groups, ongoing) : "unknown";
  return {
    slug: page.slug,
    title: page.title,
    logoText: page.logoText,
    description: page.description,
    accentColor: page.accentColor,
    logo: page.logo,
    isPreview: previewToken(page.slug) !== undefined,
    isCurrent,
    status,
    statesMs: states?.readMs,
    factsMs: readMs,
    groups,
    ongoing,
    past: events.filter(({ resolvedMs }) => resolvedMs !== undefined),
    windows: facts.windows.map((window) => shownWindow(window, names, readMs)),
  };
}

function overallStatus(groups: PageView["groups"], ongoing: readonly PageEvent[]): OverallStatus {
  const worst = worstStatus(groups.flatMap(({ monitors }) => monitors));
  return ongoing.length > 0 && (worst === "up" || worst === "maintenance") ? "incident" : worst;
}

/** A monitor whose checks could not be read. */
function unknownMonitor({ id, options }: Monitor, nowMs: number): ShownMonitor {
  const days = Array.from({ length: shownDays }, (_, day) => ({
    date: utcDayOf(firstDayMs({ days: shownDays, nowMs }) + day * dayMs),
    status: "unknown",
    uptimePercent: 0,
    coveragePercent: 0,
  }));
  return { id, name: options.name, status: "unknown", uptimePercent: 0, days };
}

/** Newest first. An incident that a report explains is shown with the report. */
function eventsOf({ incidents, reports }: PageSnapshot["facts"], names: ReadonlyMap<string, string>): PageEvent[] {
  const explained = new Set(reports.map(({ incidentId }) => incidentId));
  const ofReports = reports.map(
    ({ id, title, monitorIds, startedMs, resolvedMs, updates }): PageEvent => ({
      id,
      title,
      monitorIds,
      monitorNames: monitorIds.flatMap((monitorId) => names.get(monitorId) ?? []),
      startedMs,
      resolvedMs: resolvedMs ?? undefined,
      updates,
    }),
  );
  const ofMonitors = incidents
    .filter(({ id }) => !explained.has(id))
    .map(
      ({ id, monitorId, startedMs, resolvedMs }): PageEvent => ({
        id,
        title: undefined,
        monitorIds: [monitorId],
        monitorNames: [names.get(monitorId) ?? ""],
        startedMs,
        resolvedMs: resolvedMs ?? undefined,
        updates: [],
      }),
    );
  return [...ofReports, ...ofMonitors].sort((one, other) => other.startedMs - one.startedMs);
}

function shownWindow(
  { id, title, startsMs, endsMs, monitorIds }: MaintenanceWindow,
  names: ReadonlyMap<string, string>,
  nowMs: number,
): PageWindow {
  const monitorNames = monitorIds.flatMap((monitorId) => names.get(monitorId) ?? []);
  return { id, title, startsMs, endsMs, hasBegun: startsMs <= nowMs, monitorNames };
}
