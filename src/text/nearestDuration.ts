const unitsMs: ReadonlyMap<string, number> = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/**
 * The candidate nearest to a duration such as 10m, 90s or 1d, by ratio: 45m is closer to 1h than to 15m. Of two equally
 * near ones the shorter. Undefined when the word or a candidate is no duration.
 */
export function nearestDuration(given: string, candidates: readonly string[]): string | undefined {
  const givenMs = durationMs(given);
  if (givenMs === undefined) return undefined;
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const candidateMs = durationMs(candidate);
    if (candidateMs === undefined) return undefined;
    const far = Math.abs(Math.log(candidateMs / givenMs));
    if (far < least) {
      least = far;
      best = candidate;
    }
  }
  return best;
}

/** A whole number and a unit, which people also write out: 5 min, 2 hours. */
function durationMs(text: string): number | undefined {
  const match = /^\s*(\d{1,9})\s*([smhd])(?:ec(?:ond)?s?|in(?:ute)?s?|(?:ou)?rs?|ays?)?\s*$/i.exec(text);
  const unitMs = unitsMs.get(match?.[2]?.toLowerCase() ?? "");
  const count = Number(match?.[1]);
  return unitMs === undefined || count === 0 ? undefined : count * unitMs;
}
