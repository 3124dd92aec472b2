const dayMs = 86_400_000;

/** Noon UTC of a recent day, Unix ms: events must be younger than their retention. */
export function noonDaysAgo(days: number): number {
  return (Math.floor(Date.now() / dayMs) - days) * dayMs + dayMs / 2;
}
