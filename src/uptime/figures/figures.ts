import type { CheckStatus } from "../check/checkTypes.ts";
import { lateLimitMs, slotAfter, slotAt, slotsBetween } from "../state/slots.ts";

/**
 * What checks say of a time. A slot is known when a region answered for it. It is good when it is up or degraded. Slots that nobody
 * answered for count neither as up nor as down: coverage tells how many they are.
 */
export type SlotCounts = {
  readonly known: number;
  readonly down: number;
  readonly degraded: number;
};

/** A time in which a monitor was to be checked, Unix ms; without `untilMs` it lasts. */
export type ScheduledTime = {
  readonly fromMs: number;
  readonly untilMs: number | null;
  readonly intervalMs: number;
  readonly phaseMs: number;
};

export const noSlots: SlotCounts = { known: 0, down: 0, degraded: 0 };

/** Counts of several times together. */
export function sumOfSlots(counts: Iterable<SlotCounts>): SlotCounts {
  let sum = noSlots;
  for (const { known, down, degraded } of counts)
    sum = { known: sum.known + known, down: sum.down + down, degraded: sum.degraded + degraded };
  return sum;
}

/** Good slots of the known ones, percent; 0 where none is known. */
export function uptimePercent({ known, down }: SlotCounts): number {
  return percent(known - down, known);
}

/** Known slots of those that were due, percent; 0 where none was due. */
export function coveragePercent({ known }: SlotCounts, due: number): number {
  return percent(Math.min(known, due), due);
}

/** To three places and rounded down, so that 100 means all of them. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((100_000 * part) / whole) / 1_000;
}

/** How a time was, by the rule that regions decide a slot by: down when more than half of the slots were, up when all were. */
export function statusOfSlots({ known, down, degraded }: SlotCounts): CheckStatus | "unknown" {
  if (known === 0) return "unknown";
  if (down * 2 > known) return "down";
  return down === 0 && degraded === 0 ? "up" : "degraded";
}

/** How many slots a monitor was to be checked at in a time, its beginning included and its end not. */
export function dueSlots(times: readonly ScheduledTime[], fromMs: number, untilMs: number): number {
  let due = 0;
  for (const time of times) {
    const startMs = Math.max(fromMs, time.fromMs);
    const endMs = Math.min(untilMs, time.untilMs ?? untilMs);
    due += slotsBetween(startMs, Math.max(startMs, endMs), time.intervalMs, time.phaseMs);
  }
  return due;
}

/** For the store, and for a worker that is busy. */
const marginMs = 10_000;

/**
 * Up to when slots can be told to be unknown, Unix ms: a slot may still be checked, twice when the first check fails. One that is known
 * already tells that those before it are over.
 */
export function settledUntilMs(nowMs: number, timeoutMs: number, lastKnownMs: number | undefined): number {
  return Math.max(nowMs - 2 * timeoutMs - marginMs, (lastKnownMs ?? 0) + 1);
}

/** When a monitor is due, in ms. */
export type Due = { readonly intervalMs: number; readonly phaseMs: number; readonly timeoutMs: number };

/** For the start of a probe's check, and for the store and its spool. */
const storedWithinMs = 30_000;

/** The last slot whose check must be over and stored by now, Unix ms, however late it began. */
function lastSettledSlotMs({ intervalMs, phaseMs, timeoutMs }: Due, nowMs: number): number {
  return slotAt(nowMs - lateLimitMs(intervalMs) - 2 * timeoutMs - storedWithinMs, intervalMs, phaseMs);
}

/** The state now: that of the last slot, or unknown when a slot after it was missed. */
export function statusNow(
  last: { readonly dueMs: number; readonly status: CheckStatus | "unknown" } | undefined,
  due: Due,
  nowMs: number,
): CheckStatus | "unknown" {
  return last === undefined || last.dueMs < lastSettledSlotMs(due, nowMs) ? "unknown" : last.status;
}

/** Since when an active monitor is due, and the last slot that was passed over because it was too late for it. Unix ms. */
export type ProgressOf = { readonly dueFromMs: number; readonly uncheckedMs: number | null };

/** The first slot that must have been checked by now and was not, Unix ms; undefined while the monitor makes progress. */
export function missedSlotMs(
  lastDueMs: number | undefined,
  { dueFromMs, uncheckedMs, ...due }: Due & ProgressOf,
  nowMs: number,
): number | undefined {
  const knownMs = Math.max(lastDueMs ?? 0, uncheckedMs ?? 0, dueFromMs - 1);
  const firstMs = slotAfter(knownMs, due.intervalMs, due.phaseMs);
  return firstMs <= lastSettledSlotMs(due, nowMs) ? firstMs : undefined;
}
