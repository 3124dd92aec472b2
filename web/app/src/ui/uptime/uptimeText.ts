import { formatPercent } from "../../texts/format.ts";
import { dayMs, type ShownDay } from "./shownDay.ts";

/** A place more or less than the last one that is shown, of which binary fractions fall short. */
const fractionError = 1e-6;

/** Fewer checks do not bear a place behind the point: a single one of them is at least a whole percent. */
const checksOfPlaces = 100;

/**
 * Uptime and the checked part of it, on every page: to a hundredth, cut off and not rounded, so that an outage is never rounded away: only all checks
 * are 100 %, and only none is 0 %. Of at most 100 checks it is in whole percent. Status pages cut off too (formatPercent in
 * src/uptime/statusPages/render/format.ts).
 */
export function formatUptime(percent: number, checks?: number): string {
  const digits = checks !== undefined && checks <= checksOfPlaces ? 0 : 2;
  const parts = 10 ** digits;
  const cut = Math.floor(percent * parts + fractionError) / parts;
  return formatPercent(percent > 0 ? Math.max(cut, 1 / parts) : 0, digits);
}

/** How often a monitor checks, by the names of the intervals. */
export const intervalsMs: Readonly<Record<string, number>> = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "30m": 1_800_000,
  "1h": 3_600_000,
  "6h": 21_600_000,
  "12h": 43_200_000,
  "24h": dayMs,
};

/** What says how often a monitor checks. */
export type Checking = { readonly interval: string; readonly createdAt: string };

/**
 * About how many checks a monitor had in a time, where the answer does not say: `coveragePercent` of those that were due since it was created.
 * Undefined where its interval is not known.
 */
export function checksBetween(
  fromMs: number,
  untilMs: number,
  coveragePercent: number,
  { interval, createdAt }: Checking,
): number | undefined {
  const intervalMs = intervalsMs[interval];
  if (intervalMs === undefined) return undefined;
  const dueMs = Math.max(0, untilMs - Math.max(fromMs, Date.parse(createdAt)));
  return Math.ceil(((dueMs / intervalMs) * coveragePercent) / 100);
}

/** The same of days (UTC), the last of which may not be over. */
export function checksOfDays(
  days: readonly Pick<ShownDay, "timestamp" | "coveragePercent">[],
  checking: Checking,
  nowMs: number,
): number | undefined {
  return days.reduce<number | undefined>((sum, { timestamp, coveragePercent }) => {
    const startMs = Date.parse(timestamp);
    const checks = checksBetween(startMs, Math.min(nowMs, startMs + dayMs), coveragePercent, checking);
    return sum === undefined || checks === undefined ? undefined : sum + checks;
  }, 0);
}
