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

/** When a monitor is due: since `dueFromMs`, Unix ms. Payloads of older workflows lack it. */
type Schedule = { readonly intervalMs: number; readonly phaseMs: number; readonly dueFromMs: number | null };

/** The slot that follows the last one that was handled (0 for none). All times are Unix ms. */
export function nextSlotMs({ intervalMs, phaseMs, dueFromMs }: Schedule, lastDueMs: number, nowMs: number): number {
  return slotAfter(Math.max(dueFromMs ?? nowMs, lastDueMs), intervalMs, phaseMs);
}

/**
 * The slot to check once the slot at `nextMs` is due. Of several slots that came due meanwhile it is the last one;
 * `skipped` is the number of the others.
 */
export function lastDueSlot(
  monitorId: string,
  { websiteId, intervalMs, phaseMs }: Schedule & Pick<DueSlot, "websiteId">,
  nextMs: number,
  nowMs: number,
): { readonly slot: DueSlot; readonly skipped: number } {
  const dueMs = Math.max(nextMs, slotAt(nowMs, intervalMs, phaseMs));
  return {
    slot: { monitorId, websiteId, dueMs, untilMs: dueMs + intervalMs },
    skipped: (dueMs - nextMs) / intervalMs,
  };
}

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
