import type { CheckStatus } from "../check/checkTypes.ts";
import { lateLimitMs, slotAfter, slotAt, slotsBetween } from "../state/slots.ts";

/**
 * The result of checks over a time. A slot is known when a region answered for it, and good when it is up or degraded.
 * Slots without an answer count neither as up nor as down; coverage shows how many there are.
 */
export type SlotCounts = {
  readonly known: number;
  readonly down: number;
  readonly degraded: number;
};

/** A time in which a monitor was scheduled, Unix ms; without `untilMs` it is still running. */
export type ScheduledTime = {
  readonly fromMs: number;
  readonly untilMs: number | null;
  readonly intervalMs: number;
  readonly phaseMs: number;
};

export const noSlots: SlotCounts = { known: 0, down: 0, degraded: 0 };

/** The sum of several counts. */
export function sumOfSlots(counts: Iterable<SlotCounts>): SlotCounts {
  let sum = noSlots;
  for (const { known, down, degraded } of counts)
    sum = { known: sum.known + known, down: sum.down + down, degraded: sum.degraded + degraded };
  return sum;
}

/** Good slots among the known ones, percent; 0 if none is known. */
export function uptimePercent({ known, down }: SlotCounts): number {
  return percent(known - down, known);
}

/** Known slots among those that were due, percent; 0 if none was due. */
export function coveragePercent({ known }: SlotCounts, due: number): number {
  return percent(Math.min(known, due), due);
}

/** Percent to three places, rounded down, so that only all slots give 100. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((100_000 * part) / whole) / 1_000;
}

/**
 * The status of a time, by the same rule as for a slot's regions: down when more than half of the slots were down, up
 * when all were up.
 */
export function statusOfSlots({ known, down, degraded }: SlotCounts): CheckStatus | "unknown" {
  if (known === 0) return "unknown";
  if (down * 2 > known) return "down";
  return down === 0 && degraded === 0 ? "up" : "degraded";
}

/** How many slots of a monitor were due in a time; the end is exclusive. */
export function dueSlots(times: readonly ScheduledTime[], fromMs: number, untilMs: number): number {
  let due = 0;
  for (const time of times) {
    const startMs = Math.max(fromMs, time.fromMs);
    const endMs = Math.min(untilMs, time.untilMs ?? untilMs);
    due += slotsBetween(startMs, Math.max(startMs, endMs), time.intervalMs, time.phaseMs);
  }
  return due;
}

/** Extra time for the store and a busy worker. */
const marginMs = 10_000;

/**
 * Until when missing slots count as unknown, Unix ms: later ones may still be checked, twice if the first check fails.
 * A known slot shows that those before it are over.
 */
export function settledUntilMs(nowMs: number, timeoutMs: number, lastKnownMs: number | undefined): number {
  return Math.max(nowMs - 2 * timeoutMs - marginMs, (lastKnownMs ?? 0) + 1);
}

/** A monitor's schedule, in ms. */
export type Due = { readonly intervalMs: number; readonly phaseMs: number; readonly timeoutMs: number };

/** Extra time for the start of a probe's check, the store and its log. */
const storedWithinMs = 30_000;

/** The last slot whose check must be finished and stored by now, Unix ms, however late it began. */
function lastSettledSlotMs({ intervalMs, phaseMs, timeoutMs }: Due, nowMs: number): number {
  return slotAt(nowMs - lateLimitMs(intervalMs) - 2 * timeoutMs - storedWithinMs, intervalMs, phaseMs);
}

/** The status now: that of the last slot, or unknown when a later slot was missed. */
export function statusNow(
  last: { readonly dueMs: number; readonly status: CheckStatus | "unknown" } | undefined,
  due: Due,
  nowMs: number,
): CheckStatus | "unknown" {
  return last === undefined || last.dueMs < lastSettledSlotMs(due, nowMs) ? "unknown" : last.status;
}

/** Since when an active monitor is due, and the last slot that was skipped because it was too late for it. Unix ms. */
export type ProgressOf = { readonly dueFromMs: number; readonly uncheckedMs: number | null };

/**
 * The first slot that should have been checked by now and was not, Unix ms; undefined while the monitor makes progress.
 */
export function missedSlotMs(
  lastDueMs: number | undefined,
  { dueFromMs, uncheckedMs, ...due }: Due & ProgressOf,
  nowMs: number,
): number | undefined {
  const knownMs = Math.max(lastDueMs ?? 0, uncheckedMs ?? 0, dueFromMs - 1);
  const firstMs = slotAfter(knownMs, due.intervalMs, due.phaseMs);
  return firstMs <= lastSettledSlotMs(due, nowMs) ? firstMs : undefined;
}
