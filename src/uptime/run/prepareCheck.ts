import type { CheckTarget } from "../check/checkTypes.ts";
import { type DueSlot, isTooLate } from "../state/slots.ts";
import type { MonitorDirectory } from "./monitorDirectory.ts";
import type { MonitorNow } from "./monitorSettings.ts";

/** The workflow's view of its monitor. */
export type KnownMonitor = {
  readonly revision: number;
  /** When the open incident began, Unix ms; null for none, absent while transitions are in flight to PostgreSQL. */
  readonly incidentMs?: number | null;
};

export type PreparedCheck =
  /** No check: the workflow's view of the monitor is out of date. */
  | { readonly kind: "changed"; readonly now: MonitorNow }
  /** No check: it is too late for this slot. */
  | { readonly kind: "late" }
  | { readonly kind: "ready"; readonly target: CheckTarget };

/** Decides whether a slot is checked, and how. Rejects when PostgreSQL is unavailable and the monitor is not cached. */
export async function prepareCheck(
  monitors: MonitorDirectory,
  slot: DueSlot,
  known: KnownMonitor,
): Promise<PreparedCheck> {
  const { settings, incident, target, isCurrent } = await monitors.find(slot.monitorId);
  const changed = { kind: "changed", now: { settings, incident } } as const;
  if (settings === null || target === null || settings.status !== "active") return changed;
  if (isCurrent ? settings.revision !== known.revision : settings.revision > known.revision) return changed;
  if (settings.revision < known.revision)
    throw new Error("PostgreSQL is unavailable, and this worker knows only older settings of the monitor");
  const isOtherIncident = known.incidentMs !== undefined && (incident?.startedMs ?? null) !== known.incidentMs;
  if (isCurrent && isOtherIncident) return changed;
  return isTooLate(slot, Date.now()) ? { kind: "late" } : { kind: "ready", target };
}
