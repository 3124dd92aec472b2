import type { IANAZone } from "luxon";
import { ApiError, type ErrorDetail, validationError } from "../errors.ts";
import type { Query, QueryParameter, QueryRequest } from "../gen/lookout/v1/query_pb.ts";
import { nearest } from "../nearest.ts";
import { type BucketUnit, bucketsOf } from "./buckets.ts";
import { catalogue } from "./catalogue/catalogue.ts";
import type { QueryType } from "./catalogue/queryType.ts";
import { isLongerThan, parseDate, presetNames, presetRange, type TimeRange, timeZoneOf } from "./dates.ts";
import { filterNames } from "./fields.ts";
import type { Filter } from "./filters.ts";
import { readFilters } from "./readFilters.ts";
import type { ParameterPlan } from "./statement.ts";

/** A parameter that can run, once the websites are known, or the reason why it alone fails. */
export type PlannedParameter = {
  readonly label: string;
  readonly type: QueryType;
  readonly work: Omit<ParameterPlan, "websiteIds"> | { readonly error: string };
};

export type PlannedQuery = {
  readonly query: Query;
  readonly parameters: readonly PlannedParameter[];
  readonly page: number;
  readonly limit: number;
};

/** Rows of a parameter without a limit, as the answer's meta tells it (specification part 8). */
const defaultLimit = 100;
const maxHourlyDays = 30;
/** Keeps the number of daily buckets near the highest limit. */
const maxRangeYears = 10;

const granularities: ReadonlyMap<string, BucketUnit> = new Map([
  ["hourly", "hour"],
  ["daily", "day"],
  ["hour", "hour"],
  ["day", "day"],
]);

/** What was wrong, and whether it was a preset, which has a code of its own. */
class Problems {
  readonly all: ErrorDetail[] = [];
  readonly presets: ErrorDetail[] = [];

  add(field: string, message: string, suggestion?: string): undefined {
    this.all.push({ field, message, ...(suggestion === undefined ? {} : { suggestion }) });
  }

  throwIfAny(): void {
    const [first] = this.all;
    if (first === undefined) return;
    if (this.presets.length < this.all.length) throw validationError(this.all);
    throw new ApiError("INVALID_DATE_PRESET", `${first.field} ${first.message}`, { details: this.all });
  }
}

/**
 * Checks everything that the contract's own rules cannot say and turns a request into work. `nowMs` is the clock that presets go by.
 *
 * Throws VALIDATION_ERROR with a detail for each unknown type, bad date, granularity, time zone or filter value, and
 * INVALID_DATE_PRESET when presets are all that is wrong (specification part 7, rules 1 to 3).
 */
export function planQueries(request: QueryRequest, nowMs: number): PlannedQuery[] {
  const problems = new Problems();
  const zone = readZone(request.timezone, problems);
  const queries = request.query === undefined ? request.queries : [request.query];
  if (queries.length === 0)
    problems.add("", "needs a query: send an object with parameters, or an array of such objects");
  const planned = queries.map((query, index) => {
    const at = request.query === undefined ? `[${index}].` : "";
    return planQuery(query, at, zone, nowMs, problems);
  });
  problems.throwIfAny();
  return planned;
}

function planQuery(query: Query, at: string, zone: IANAZone, nowMs: number, problems: Problems): PlannedQuery {
  const limits = { page: query.page ?? 1, limit: query.limit ?? defaultLimit };
  const filters = readFilters(query.filters, (field, message) => problems.add(`${at}${field}`, message));
  const unit = readGranularity(query.granularity, `${at}granularity`, problems);
  const dates = readDates(query, at, zone, nowMs, problems);
  const parameters = query.parameters.map((parameter, index) => {
    const where = `${at}parameters[${index}]`;
    const type = readType(parameter.name, where, problems);
    const range = readRange(parameter, dates, { at, where }, zone, problems);
    const ownUnit = readGranularity(parameter.granularity ?? "", `${where}.granularity`, problems) ?? unit ?? "day";
    if (range !== undefined && ownUnit === "hour" && isLongerThan(range, { days: maxHourlyDays }, zone))
      problems.add(
        parameter.granularity === undefined ? `${at}granularity` : `${where}.granularity`,
        `may be hourly for up to ${maxHourlyDays} days only; use daily or a shorter range`,
      );
    if (type === undefined || range === undefined) return [];
    return [
      { label: parameter.id ?? parameter.name, type, work: planWork(type, range, ownUnit, zone, filters, query) },
    ];
  });
  return { query, parameters: parameters.flat(), ...limits };
}

function planWork(
  type: QueryType,
  range: TimeRange,
  unit: BucketUnit,
  zone: IANAZone,
  filters: readonly Filter[],
  query: Query,
): PlannedParameter["work"] {
  const allowed = filterNames(type.table);
  const refused = filters.find(({ field }) => !allowed.includes(field));
  if (refused !== undefined)
    return {
      error: `Filter on field '${refused.field}' is not permitted for ${type.name}. Use one of: ${allowed.join(", ")}`,
    };
  const limit = query.limit ?? type.defaultLimit;
  const buckets = type.shape.kind === "series" ? bucketsOf(range, unit, zone) : undefined;
  return { type, range, buckets, filters, limit, offset: ((query.page ?? 1) - 1) * limit };
}

function readZone(name: string, problems: Problems): IANAZone {
  const zone = timeZoneOf(name === "" ? "UTC" : name);
  if (zone !== undefined) return zone;
  problems.add(
    "timezone",
    `must be an IANA time zone such as Europe/Berlin, not "${name}"`,
    nearest(name, Intl.supportedValuesOf("timeZone")),
  );
  return readZone("UTC", problems);
}

function readType(name: string, where: string, problems: Problems): QueryType | undefined {
  const type = catalogue.get(name);
  if (type !== undefined) return type;
  const suggestion = nearest(name, catalogue.keys());
  const next = suggestion === undefined ? "GET /v1/query/types lists them" : `did you mean "${suggestion}"?`;
  return problems.add(where, `names the unknown query type "${name}"; ${next}`, suggestion);
}

function readGranularity(text: string, where: string, problems: Problems): BucketUnit | undefined {
  if (text === "") return undefined;
  const unit = granularities.get(text);
  if (unit !== undefined) return unit;
  return problems.add(where, `must be hourly, daily, hour or day, not "${text}"`, nearest(text, granularities.keys()));
}

/** The dates of a query; undefined where none were sent, null where what was sent is wrong. */
type Dates = { readonly startMs: number | null | undefined; readonly endMs: number | null | undefined };

function readDates(query: Query, at: string, zone: IANAZone, nowMs: number, problems: Problems): Dates {
  const startMs = readDate(query.startDate, "start", `${at}startDate`, zone, problems);
  const endMs = readDate(query.endDate, "end", `${at}endDate`, zone, problems);
  if (query.preset === "") return { startMs, endMs };
  const range = presetRange(query.preset, nowMs, zone);
  if (range !== undefined) return range;
  problems.add(
    `${at}preset`,
    `must be one of ${presetNames.join(", ")}, not "${query.preset}"`,
    nearest(query.preset, presetNames),
  );
  problems.presets.push(...problems.all.slice(-1));
  return { startMs: null, endMs: null };
}

function readDate(
  text: string,
  edge: "start" | "end",
  where: string,
  zone: IANAZone,
  problems: Problems,
): number | null | undefined {
  if (text === "") return undefined;
  const instantMs = parseDate(text, edge, zone);
  if (instantMs !== undefined) return instantMs;
  problems.add(where, `must be a day (YYYY-MM-DD) or an ISO 8601 date and time from 1970 to 2199, not "${text}"`);
  return null;
}

function readRange(
  parameter: QueryParameter,
  dates: Dates,
  { at, where }: { at: string; where: string },
  zone: IANAZone,
  problems: Problems,
): TimeRange | undefined {
  const startMs = readDate(parameter.startDate ?? "", "start", `${where}.start_date`, zone, problems) ?? dates.startMs;
  const endMs = readDate(parameter.endDate ?? "", "end", `${where}.end_date`, zone, problems) ?? dates.endMs;
  if (startMs === undefined)
    addOnce(problems, `${at}startDate`, "is required without a preset; send YYYY-MM-DD or ISO 8601");
  if (endMs === undefined)
    addOnce(problems, `${at}endDate`, "is required without a preset; send YYYY-MM-DD or ISO 8601");
  if (typeof startMs !== "number" || typeof endMs !== "number") return undefined;
  const endField =
    parameter.endDate === undefined && parameter.startDate === undefined ? `${at}endDate` : `${where}.end_date`;
  if (endMs <= startMs) return addOnce(problems, endField, "must not be before the start; swap the two or move one");
  const range = { startMs, endMs };
  if (isLongerThan(range, { years: maxRangeYears }, zone))
    return addOnce(problems, endField, `must be at most ${maxRangeYears} years after the start; shorten the range`);
  return range;
}

/** Every parameter meets the same dates; one detail says it. */
function addOnce(problems: Problems, field: string, message: string): undefined {
  if (!problems.all.some((known) => known.field === field && known.message === message)) problems.add(field, message);
}
