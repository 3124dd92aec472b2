import type { IANAZone } from "luxon";
import type { CreateExportRequest } from "../../../gen/lookout/v1/data_pb.ts";
import { detail, Problems } from "../../../problems.ts";
import { dayOf, type TimeRange } from "../../../time/dates.ts";
import { readBounds } from "../../../time/readRange.ts";

/**
 * The whole days of an export in the website's time zone. Throws VALIDATION_ERROR that names what is wrong: a day that
 * does not exist, an end before the start, more than ten years, or a start in the future.
 */
export function readExportRange(
  { startDate, endDate }: Pick<CreateExportRequest, "startDate" | "endDate">,
  zone: IANAZone,
  nowMs: number,
): TimeRange {
  const problems = new Problems();
  const places = { start: "start_date", end: "end_date" };
  const range = readBounds({ start: startDate, end: endDate }, places, zone, problems);
  if (range !== undefined && range.startMs > nowMs) {
    const today = dayOf(nowMs, zone).toISODate();
    problems.add(detail("start_date", `must not be after today, ${today} in ${zone.name}: there is nothing yet`));
  }
  problems.throwIfAny();
  if (range === undefined) throw new Error("a range without a problem is missing");
  return range;
}
