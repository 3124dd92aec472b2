import { dayMs } from "../../time/utcDay.ts";

/**
 * The rules for a monitor's slots: when an incident opens, grows and resolves, and what is notified. Pure, so that a
 * workflow can replay it and a test can try every order of slots.
 *
 * - An incident opens at the `openAfter`-th consecutive slot that is down, and began at the first of them.
 * - It resolves at the `resolveAfter`-th consecutive slot that is good, and ended at the first of them. Up and degraded
 *   are good.
 * - A slot without an answer is unknown: it neither breaks nor lengthens a run of slots.
 * - A monitor that opened `flapOpens` incidents within `flapWindowMs` flaps: its incident then needs `flapResolveAfter`
 *   good slots, to limit notifications.
 * - Slots in a maintenance window open no incident and are not counted; an open incident may resolve, and a failure in between restarts the
 *   row of good slots for that too.
 */

/** The result of a slot over all regions. */
export type SlotResult = {
  /** When the slot was due, Unix ms. */
  readonly dueMs: number;
  readonly status: "up" | "down" | "degraded" | "unknown";
  /** The error of the first failed check. */
  readonly error?: string | undefined;
  /** Regions whose check failed. */
  readonly failedRegions: readonly string[];
  readonly inMaintenance: boolean;
  /** When the certificate expires, Unix ms; absent without a certificate. */
  readonly sslExpiryMs?: number | undefined;
};

export type Thresholds = {
  readonly openAfter: number;
  readonly resolveAfter: number;
  /** 0 for no notification. */
  readonly certificateNoticeDays: number;
};

/** Plain data, passed on by the workflow from slot to slot. */
export type MonitorState = {
  readonly status: SlotResult["status"];
  /** Consecutive slots that are down, while no incident is open. */
  readonly failing?: Failing | undefined;
  readonly incident?: OpenIncident | undefined;
  /** When incidents opened within the last `flapWindowMs`, Unix ms. */
  readonly openedMs: readonly number[];
  /** Expiry times of certificates that were notified, the last few, Unix ms. */
  readonly noticedExpiriesMs: readonly number[];
};

type Failing = {
  readonly sinceMs: number;
  readonly slots: number;
  readonly firstError: string;
  readonly checks: number;
  readonly regions: readonly string[];
};

/** What is known of an incident; `startedMs` is Unix ms. */
type IncidentFacts = {
  readonly startedMs: number;
  readonly firstError: string;
  readonly checksAffected: number;
  readonly regions: readonly string[];
};

export type OpenIncident = IncidentFacts & {
  /** Consecutive good slots that may resolve it. */
  readonly recovering?: { readonly sinceMs: number; readonly slots: number } | undefined;
};

/** A change of an incident. `resolvedMs` is absent while the incident is open. */
export type IncidentChange = IncidentFacts & {
  readonly kind: "opened" | "updated" | "resolved";
  readonly resolvedMs?: number | undefined;
};

export type Advance = {
  readonly state: MonitorState;
  readonly incident?: IncidentChange | undefined;
  /** The expiry time of a certificate that must be notified, Unix ms. */
  readonly expiringCertificateMs?: number | undefined;
};

export const initialState: MonitorState = { status: "unknown", openedMs: [], noticedExpiriesMs: [] };

/** Whether slots with the same status leave the state as it is. */
export function isSteady({ status, failing, incident }: MonitorState): boolean {
  return (status === "up" || status === "degraded") && failing === undefined && incident === undefined;
}

const flapOpens = 3;
const flapWindowMs = 3_600_000;
const flapResolveAfter = 10;
/** Servers behind one name may use a handful of certificates. */
const maxNoticedExpiries = 8;

/** The state after a slot, and what the slot changed. */
export function advance(state: MonitorState, slot: SlotResult, thresholds: Thresholds): Advance {
  const expiringCertificateMs = expiring(state, slot, thresholds);
  const noticedExpiriesMs =
    expiringCertificateMs === undefined
      ? state.noticedExpiriesMs
      : [...state.noticedExpiriesMs, expiringCertificateMs].slice(-maxNoticedExpiries);
  const { state: next, incident } = evaluate({ ...state, status: slot.status, noticedExpiriesMs }, slot, thresholds);
  return { state: next, incident, expiringCertificateMs };
}

type Evaluated = Pick<Advance, "state" | "incident">;

function evaluate(state: MonitorState, slot: SlotResult, thresholds: Thresholds): Evaluated {
  if (slot.status === "unknown") return { state };
  if (slot.status !== "down") return good(state, slot, thresholds);
  return state.incident === undefined ? failed(state, slot, thresholds) : lengthened(state, state.incident, slot);
}

function good(state: MonitorState, { dueMs }: SlotResult, { resolveAfter }: Thresholds): Evaluated {
  const { incident } = state;
  if (incident === undefined) return { state: { ...state, failing: undefined } };
  const recovering = { sinceMs: incident.recovering?.sinceMs ?? dueMs, slots: (incident.recovering?.slots ?? 0) + 1 };
  const flaps = state.openedMs.filter((ms) => ms > dueMs - flapWindowMs).length >= flapOpens;
  if (recovering.slots < (flaps ? Math.max(flapResolveAfter, resolveAfter) : resolveAfter))
    return { state: { ...state, incident: { ...incident, recovering } } };
  return {
    state: { ...state, incident: undefined },
    incident: { ...facts(incident), kind: "resolved", resolvedMs: recovering.sinceMs },
  };
}

function failed(state: MonitorState, slot: SlotResult, { openAfter }: Thresholds): Evaluated {
  if (slot.inMaintenance) return { state: { ...state, failing: undefined } };
  const { dueMs, failedRegions, error } = slot;
  const before = state.failing;
  const failing: Failing = {
    sinceMs: before?.sinceMs ?? dueMs,
    slots: (before?.slots ?? 0) + 1,
    firstError: before?.firstError ?? error ?? "The check failed",
    checks: (before?.checks ?? 0) + failedRegions.length,
    regions: union(before?.regions ?? [], failedRegions),
  };
  if (failing.slots < openAfter) return { state: { ...state, failing } };
  const incident: OpenIncident = {
    startedMs: failing.sinceMs,
    firstError: failing.firstError,
    checksAffected: failing.checks,
    regions: failing.regions,
  };
  const openedMs = [...state.openedMs.filter((ms) => ms > dueMs - flapWindowMs), dueMs];
  return {
    state: { ...state, failing: undefined, incident, openedMs },
    incident: { ...facts(incident), kind: "opened" },
  };
}

function lengthened(state: MonitorState, before: OpenIncident, slot: SlotResult): Evaluated {
  if (slot.inMaintenance) return { state: { ...state, incident: { ...before, recovering: undefined } } };
  const { failedRegions } = slot;
  const incident: OpenIncident = {
    ...before,
    recovering: undefined,
    checksAffected: before.checksAffected + failedRegions.length,
    regions: union(before.regions, failedRegions),
  };
  return { state: { ...state, incident }, incident: { ...facts(incident), kind: "updated" } };
}

function facts({ startedMs, firstError, checksAffected, regions }: OpenIncident): IncidentFacts {
  return { startedMs, firstError, checksAffected, regions };
}

function union(known: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...known, ...more])].sort();
}

function expiring(state: MonitorState, slot: SlotResult, { certificateNoticeDays }: Thresholds): number | undefined {
  const { sslExpiryMs, dueMs } = slot;
  if (sslExpiryMs === undefined || certificateNoticeDays === 0) return undefined;
  const isNear = sslExpiryMs - dueMs <= certificateNoticeDays * dayMs;
  return isNear && !state.noticedExpiriesMs.includes(sslExpiryMs) ? sslExpiryMs : undefined;
}
