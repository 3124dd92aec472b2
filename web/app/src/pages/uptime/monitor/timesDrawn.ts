import type { Check } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { UptimeTimeSeriesRow } from "../../../../../../packages/client-js/src/rows.ts";
import { dayMs } from "../../../ui/uptime/shownDay.ts";
import { intervalsMs } from "../../../ui/uptime/uptimeText.ts";

/** A point of the chart of response times. Times are ms; null without an answer. */
export type TimePoint = {
  /** Unix ms. */
  readonly atMs: number;
  /** The time of the check, or the median of a time span. */
  readonly p50: number | null;
  /** Null for a single check. */
  readonly p95: number | null;
  /** Checks that failed. */
  readonly failures: number;
  /** The phases of a single check, in their order. */
  readonly phases: readonly number[];
};

/** A gap of missed checks. */
const gapAt = (atMs: number): TimePoint => ({ atMs, p50: null, p95: null, failures: 0, phases: [] });

/** Single checks, which come newest first. One without an answer has no time; missed checks leave a gap. */
export function pointsOfChecks(checks: readonly Check[], interval: string): TimePoint[] {
  const mostMs = 2.5 * (intervalsMs[interval] ?? dayMs);
  return checks.toReversed().flatMap((check, index, ordered): TimePoint[] => {
    const atMs = Date.parse(check.timestamp);
    const before = ordered[index - 1];
    const { dnsMs, connectMs, tlsMs, ttfbMs, totalMs } = check;
    const isAnswered = ttfbMs > 0;
    const point: TimePoint = {
      atMs,
      p50: isAnswered ? totalMs : null,
      p95: null,
      failures: check.status === "down" ? 1 : 0,
      phases: isAnswered
        ? [dnsMs, connectMs, tlsMs, Math.max(0, ttfbMs - dnsMs - connectMs - tlsMs), Math.max(0, totalMs - ttfbMs)]
        : [],
    };
    const isGap = before !== undefined && atMs - Date.parse(before.timestamp) > mostMs;
    return isGap ? [gapAt(atMs - 1), point] : [point];
  });
}

/** Hours or days, from the first one that was checked on. */
export function pointsOfSeries(
  rows: readonly Pick<
    UptimeTimeSeriesRow,
    "date" | "p50_response_time" | "p95_response_time" | "total_checks" | "successful_checks"
  >[],
): TimePoint[] {
  const first = rows.findIndex(({ total_checks: checks }) => checks > 0);
  return first === -1
    ? []
    : rows.slice(first).map((row) => ({
        atMs: Date.parse(row.date),
        p50: row.p50_response_time,
        p95: row.p95_response_time,
        failures: row.total_checks - row.successful_checks,
        phases: [],
      }));
}
