import type { CheckTarget } from "./checkTypes.ts";
import type { Monitor, MonitorStatus } from "./monitor.ts";
import type { Thresholds } from "./state.ts";

/** What a monitor's workflow is told whenever the monitor changes: all it needs, so that checks go on while PostgreSQL is away. */
export type MonitorSettings = {
  readonly monitorId: string;
  readonly websiteId: string;
  /** Of two tellings the one with the higher revision holds. */
  readonly revision: number;
  readonly status: MonitorStatus | "deleted";
  readonly intervalMs: number;
  readonly phaseMs: number;
  /** Since when slots are due, Unix ms; absent while none is, and in what was told before there was this field. */
  readonly dueFromMs?: number | undefined;
  /** Whether the service's own worker checks, and the regions whose probes do. */
  readonly checksHere: boolean;
  readonly probes: readonly string[];
  readonly target: CheckTarget;
  readonly thresholds: Thresholds;
};

/** What the settings of a monitor say beyond its own fields. */
export type ToldWith = {
  /** The region of the service's own worker. */
  readonly ownRegion: string;
  readonly isDeleted: boolean;
  /** Since when slots are due, Unix ms; undefined while none is. */
  readonly dueFromMs: number | undefined;
};

/** The settings of a monitor, as its workflow is told of them. */
export function settingsOf(monitor: Monitor, { ownRegion, isDeleted, dueFromMs }: ToldWith): MonitorSettings {
  const { options } = monitor;
  const probes = options.regions.filter((region) => region !== ownRegion);
  return {
    monitorId: monitor.id,
    websiteId: monitor.websiteId,
    revision: monitor.revision,
    status: isDeleted ? "deleted" : monitor.status,
    intervalMs: monitor.intervalMs,
    phaseMs: monitor.phaseMs,
    dueFromMs,
    checksHere: probes.length < options.regions.length || probes.length === 0,
    probes,
    target: {
      monitorId: monitor.id,
      url: monitor.url,
      method: options.method,
      headers: options.headers,
      body: options.body ?? undefined,
      expectedStatus: options.expectedStatus,
      keyword: options.keyword,
      timeoutMs: monitor.timeoutMs,
      cacheBust: monitor.cacheBust,
      jsonParsingConfig: monitor.jsonParsingConfig ?? undefined,
      ipVersion: options.ipVersion,
      httpVersion: options.httpVersion,
      degradedAfterMs: options.degradedAfterMs,
    },
    thresholds: {
      openAfter: options.openAfter,
      resolveAfter: options.resolveAfter,
      certificateNoticeDays: options.certificateNoticeDays,
    },
  };
}
