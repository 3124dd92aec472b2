import { formatPercent } from "../../texts/format.ts";
import { dayMs, type ShownDay } from "./shownDay.ts";

/** The most places that are shown: enough to tell 99.999 % from 100 %. */
const mostDigits = 3;

/**
 * Uptime with no more places than its checks bear: one of three that failed is 67 %, and not 66.667 %. But an outage is never rounded away: only
 * all checks are 100 %, and only none is 0 %.
 */
export function formatUptime(percent: number, checks?: number): string {
  let digits = checks === undefined ? mostDigits : digitsOf(checks);
  while (digits < mostDigits && isRoundedAway(percent, digits)) digits += 1;
  return formatPercent(percent, digits);
}

function isRoundedAway(percent: number, digits: number): boolean {
  const shown = Number(percent.toFixed(digits));
  return (shown >= 100 && percent < 100) || (shown <= 0 && percent > 0);
}

/** As many places as make a single check visible. */
function digitsOf(checks: number): number {
  return Math.min(mostDigits, Math.max(0, Math.ceil(Math.log10(Math.max(1, checks) / 100))));
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
