export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
export const dayUs = 86_400_000_000;

/** A time (Unix ms) in ISO 8601, UTC. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** The UTC day of a time (Unix ms), YYYY-MM-DD. */
export function utcDayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** The midnight (Unix ms) at which a UTC day (YYYY-MM-DD) begins; NaN if there is no such day. */
export function startOfUtcDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
