/** Share of its time that the event loop may work before clicks wait for it. */
const busyShare = 0.75;

/** How old a click may get before it is stored all the same, ms: it is to be seen within a minute (specification part 8). */
const mostWaitMs = 15_000;

/**
 * Whether the storing of clicks, whose oldest is so old, gives way to redirects: storing costs as much as following a link, a visitor waits for the
 * one and nobody for the other. `utilization` is the event loop's of late, 0 to 1.
 */
export function giveWay(utilization: number, oldestAgeMs: number): boolean {
  return utilization > busyShare && oldestAgeMs < mostWaitMs;
}
