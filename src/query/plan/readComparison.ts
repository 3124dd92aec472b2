import type { IANAZone } from "luxon";
import { detail, type Problems, quoted } from "../../errors/problems.ts";
import type { Comparison } from "../../gen/lookout/v1/query_pb.ts";
import { nearest } from "../../text/nearest.ts";
import { type ComparedPeriod, type ComparedRange, comparedPeriods, comparedRange } from "../../time/comparedRange.ts";
import type { TimeRange } from "../../time/dates.ts";
import { readBounds } from "../../time/readRange.ts";
import type { QueryType } from "../catalogue/queryType.ts";

/** Finds the range that a parameter's range is compared with. `preset` is the one that gave the range, if any. */
export type Comparing = (range: TimeRange, preset: string) => ComparedRange;

/**
 * What a query is compared with; undefined without a comparison and where it is invalid, which is reported. `at` is the path to the query,
 * such as `[1].`
 */
export function readComparison(
  compare: Comparison | undefined,
  at: string,
  { zone, nowMs, problems }: { readonly zone: IANAZone; readonly nowMs: number; readonly problems: Problems },
): Comparing | undefined {
  if (compare === undefined) return undefined;
  const { period, startDate, endDate } = compare;
  const hasDates = startDate !== "" || endDate !== "";
  if (hasDates) {
    if (period !== "")
      return problems.add(detail(`${at}compare.period`, "cannot be sent together with dates; leave one of them out"));
    const places = { start: `${at}compare.startDate`, end: `${at}compare.endDate` };
    if (startDate === "" || endDate === "") {
      const missing = startDate === "" ? places.start : places.end;
      return problems.add(detail(missing, "is required with the other date; send YYYY-MM-DD or ISO 8601"));
    }
    const whole = readBounds({ start: startDate, end: endDate }, places, zone, problems);
    return whole === undefined ? undefined : () => ({ whole, soFar: whole });
  }
  if (!isPeriod(period)) {
    const message = `must be one of ${comparedPeriods.join(", ")}, or have startDate and endDate, not ${quoted(period)}`;
    return problems.add(detail(`${at}compare.period`, message, nearest(period, comparedPeriods)));
  }
  return (range, preset) => comparedRange(range, period, { zone, nowMs, preset });
}

const comparableKinds: ReadonlySet<string> = new Set(["summary", "series", "table", "goal_conversions"]);

/** Whether answers of a type can be compared: rows that another range has too, of a range that the request sets. */
export function isComparable({ shape, period }: Pick<QueryType, "shape" | "period">): boolean {
  return period === undefined && comparableKinds.has(shape.kind);
}

/** Series go on to the end, so that the rest of a day shows too; totals are compared with as much as has passed. */
export function rangeFor({ shape }: Pick<QueryType, "shape">, { whole, soFar }: ComparedRange): TimeRange {
  return shape.kind === "series" ? whole : soFar;
}

function isPeriod(text: string): text is ComparedPeriod {
  return comparedPeriods.some((period) => period === text);
}
