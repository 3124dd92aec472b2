/**
 * Slots are the times at which a monitor is due: phase + k * interval since 1970 (DESIGN section 7). Missed slots are
 * not made up for: a check shows the state of a server now, not then. Pure, since workflows replay it.
 */

/** One slot of a monitor. Unix ms; `untilMs` is when the next one is due. */
export type DueSlot = {
  readonly monitorId: string;
  readonly websiteId: string;
  readonly dueMs: number;
  readonly untilMs: number;
};

/** The first slot after a time, Unix ms. */
export function slotAfter(timeMs: number, intervalMs: number, phaseMs: number): number {
  return (Math.floor((timeMs - phaseMs) / intervalMs) + 1) * intervalMs + phaseMs;
}

/** The last slot that is due by a time, Unix ms. */
export function slotAt(timeMs: number, intervalMs: number, phaseMs: number): number {
  return Math.floor((timeMs - phaseMs) / intervalMs) * intervalMs + phaseMs;
}

const latestMs = 300_000;

/**
 * Whether a check made now would be too late for its slot: by more than an interval or five minutes, whichever is
 * shorter. The state of a server now says nothing about its state then, so the slot stays unknown.
 */
export function isTooLate({ dueMs, untilMs }: DueSlot, nowMs: number): boolean {
  return nowMs - dueMs > lateLimitMs(untilMs - dueMs);
}

/** How late a check may be for its slot, ms. */
export function lateLimitMs(intervalMs: number): number {
  return Math.min(intervalMs, latestMs);
}

/** The number of slots in a time; the end is exclusive. */
export function slotsBetween(fromMs: number, untilMs: number, intervalMs: number, phaseMs: number): number {
  const before = (timeMs: number) => Math.ceil((timeMs - phaseMs) / intervalMs);
  return Math.max(0, before(untilMs) - before(fromMs));
}
