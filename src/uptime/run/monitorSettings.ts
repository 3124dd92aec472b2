import { keyword } from "../../store/temporal/searchAttributes.ts";
import type { CheckTarget } from "../check/checkTypes.ts";
import type { Monitor, MonitorStatus, OpenMonitor } from "../monitor/monitor.ts";
import type { OpenIncident, Thresholds } from "../state/state.ts";

/**
 * The monitor settings that its workflow uses. They are stored in Temporal's histories in plain text, so they hold no
 * secret: the request of a check is read by the activity that makes it.
 */
export type MonitorSettings = {
  readonly websiteId: string;
  /** Absent in payloads written before these fields existed. */
  readonly organizationId?: string;
  readonly name?: string;
  readonly revision: number;
  readonly status: MonitorStatus;
  readonly intervalMs: number;
  readonly phaseMs: number;
  readonly timeoutMs: number;
  /** Since when slots are due, Unix ms; null while paused, and absent in payloads written before this field existed. */
  readonly dueFromMs: number | null;
  /** Whether the service's own worker checks, and the regions whose probes do. */
  readonly checksHere: boolean;
  readonly probes: readonly string[];
  /** Without query and user name, cut to what every Temporal store accepts. */
  readonly shownUrl: string;
  readonly thresholds: Thresholds;
};

/** The current state of a monitor in PostgreSQL. */
export type MonitorNow = {
  /** Null when the monitor is deleted. */
  readonly settings: MonitorSettings | null;
  /** The open incident; null without one, absent while PostgreSQL is unavailable. */
  readonly incident?: OpenIncident | null;
};

/**
 * The payload of the signal `configure`: the revision in PostgreSQL, which shows a workflow that it must reload its
 * settings.
 */
export type ConfigureSignal = { readonly revision: number };

/** The settings of a monitor that is not deleted. `ownRegion` is the region of the service's own worker. */
export function settingsOf(monitor: Monitor, ownRegion: string, dueFromMs: number | null): MonitorSettings {
  const { options } = monitor;
  const probes = options.regions.filter((region) => region !== ownRegion);
  return {
    websiteId: monitor.websiteId,
    organizationId: monitor.organizationId,
    name: keyword(options.name),
    revision: monitor.revision,
    status: monitor.status,
    intervalMs: monitor.intervalMs,
    phaseMs: monitor.phaseMs,
    timeoutMs: monitor.timeoutMs,
    dueFromMs,
    checksHere: probes.length < options.regions.length || probes.length === 0,
    probes,
    shownUrl: shownUrlOf(monitor),
    thresholds: {
      openAfter: options.openAfter,
      resolveAfter: options.resolveAfter,
      certificateNoticeDays: options.certificateNoticeDays,
    },
  };
}

/** The URL of a monitor as Temporal shows it, cut to what every Temporal store accepts. */
export function shownUrlOf({ shownUrl }: Pick<Monitor, "shownUrl">): string {
  return keyword(shownUrl);
}

/** What of a monitor its checks depend on. */
export type CheckedMonitor = Pick<OpenMonitor, "secrets" | "options" | "timeoutMs" | "cacheBust" | "jsonParsingConfig">;

/** What a check of the monitor sends and expects. It may contain secrets. */
export function targetOf(monitor: CheckedMonitor): CheckTarget {
  const { options, secrets } = monitor;
  return {
    url: secrets.url,
    method: options.method,
    headers: secrets.headers,
    body: secrets.body ?? undefined,
    expectedStatus: options.expectedStatus,
    keyword: options.keyword,
    timeoutMs: monitor.timeoutMs,
    cacheBust: monitor.cacheBust,
    jsonParsingConfig: monitor.jsonParsingConfig ?? undefined,
    ipVersion: options.ipVersion,
    httpVersion: options.httpVersion,
    degradedAfterMs: options.degradedAfterMs,
  };
}
