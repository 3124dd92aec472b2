import { Problems } from "../../errors/problems.ts";
import type { TimeRange } from "../../time/dates.ts";
import { readBounds } from "../../time/readRange.ts";
import { readZone } from "../../time/readZone.ts";

/**
 * The time between `dateFrom` and `dateTo` of a request (specification 4.10), days in UTC. Throws VALIDATION_ERROR with
 * what is wrong.
 */
export function readUptimeRange({
  dateFrom,
  dateTo,
}: {
  readonly dateFrom: string;
  readonly dateTo: string;
}): TimeRange {
  const problems = new Problems();
  const places = { start: "dateFrom", end: "dateTo" };
  const range = readBounds({ start: dateFrom, end: dateTo }, places, readZone("UTC", problems), problems);
  problems.throwIfAny();
  if (range === undefined) throw new Error("a range without a problem is missing");
  return range;
}
