import type { IANAZone } from "luxon";
import { detail, type Problems, quoted } from "../errors/problems.ts";
import type { Query, QueryParameter } from "../gen/lookout/v1/query_pb.ts";
import {
  type DateEdge,
  isLongerThan,
  nearestPreset,
  parseDate,
  presetNames,
  presetRange,
  type TimeRange,
} from "./dates.ts";

/** The dates of a query; undefined where none were sent, null where they are invalid. */
export type Dates = { readonly startMs: number | null | undefined; readonly endMs: number | null | undefined };

/** Keeps the number of daily buckets below the highest limit. */
const maxRangeYears = 10;

/**
 * The dates of a query: its preset, or its startDate and endDate (specification 4.1). `at` is the path to the query,
 * such as `[1].`
 */
export function readDates(
  query: Pick<Query, "preset" | "startDate" | "endDate">,
  at: string,
  zone: IANAZone,
  nowMs: number,
  problems: Problems,
): Dates {
  const startMs = readDate(query.startDate, "start", `${at}startDate`, zone, problems);
  const endMs = readDate(query.endDate, "end", `${at}endDate`, zone, problems);
  if (query.preset === "") return { startMs, endMs };
  const range = presetRange(query.preset, nowMs, zone);
  if (range !== undefined) return range;
  const message = `must be one of ${presetNames.join(", ")}, not ${quoted(query.preset)}`;
  problems.add(detail(`${at}preset`, message, nearestPreset(query.preset)), "INVALID_DATE_PRESET");
  return { startMs: null, endMs: null };
}

/**
 * The range of a parameter: its own dates, else the query's. Undefined when there is none or it is invalid, which is
 * reported.
 */
export function readRange(
  parameter: Pick<QueryParameter, "startDate" | "endDate">,
  dates: Dates,
  { at, where }: { at: string; where: string },
  zone: IANAZone,
  problems: Problems,
): TimeRange | undefined {
  const ownStartMs = readDate(parameter.startDate ?? "", "start", `${where}.start_date`, zone, problems);
  const ownEndMs = readDate(parameter.endDate ?? "", "end", `${where}.end_date`, zone, problems);
  const startMs = ownStartMs === undefined ? dates.startMs : ownStartMs;
  const endMs = ownEndMs === undefined ? dates.endMs : ownEndMs;
  const required = "is required without a preset; send YYYY-MM-DD or ISO 8601";
  if (startMs === undefined) problems.add(detail(`${at}startDate`, required));
  if (endMs === undefined) problems.add(detail(`${at}endDate`, required));
  const isOwn = ownStartMs !== undefined || ownEndMs !== undefined;
  return checkedRange({ startMs, endMs }, isOwn ? `${where}.end_date` : `${at}endDate`, zone, problems);
}

/**
 * A range given by both of its edges; `places` has their field names. Undefined when one is invalid, which is reported.
 */
export function readBounds(
  bounds: { readonly start: string; readonly end: string },
  places: { readonly start: string; readonly end: string },
  zone: IANAZone,
  problems: Problems,
): TimeRange | undefined {
  const startMs = readDate(bounds.start, "start", places.start, zone, problems);
  const endMs = readDate(bounds.end, "end", places.end, zone, problems);
  return checkedRange({ startMs, endMs }, places.end, zone, problems);
}

/** The range of these dates. Undefined when one of them is missing, and when both make no range, which is reported at `end`. */
function checkedRange(
  { startMs, endMs }: Dates,
  end: string,
  zone: IANAZone,
  problems: Problems,
): TimeRange | undefined {
  if (typeof startMs !== "number" || typeof endMs !== "number") return undefined;
  const range = { startMs, endMs };
  if (endMs <= startMs) return problems.add(detail(end, "must not be before the start; swap the two or move one"));
  if (!isLongerThan(range, { years: maxRangeYears }, zone)) return range;
  return problems.add(detail(end, `must be at most ${maxRangeYears} years after the start; shorten the range`));
}

function readDate(
  text: string,
  edge: DateEdge,
  where: string,
  zone: IANAZone,
  problems: Problems,
): number | null | undefined {
  if (text === "") return undefined;
  const instantMs = parseDate(text, edge, zone);
  if (instantMs !== undefined) return instantMs;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && text >= "1970" && text < "2200";
  const message = isDay
    ? `is no day of the calendar: ${quoted(text)}`
    : `must be a day (YYYY-MM-DD) or an ISO 8601 date and time from 1970 to 2199, not ${quoted(text)}`;
  problems.add(detail(where, message));
  return null;
}
