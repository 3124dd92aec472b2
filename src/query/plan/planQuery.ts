import type { IANAZone } from "luxon";
import { nextSlice, sliceIsOver } from "../../concurrency/timeSlices.ts";
import type { ErrorDetail } from "../../errors/errors.ts";
import { detail, Problems, quoted } from "../../errors/problems.ts";
import type { Query, QueryParameter, QueryRequest } from "../../gen/lookout/v1/query_pb.ts";
import { nearest } from "../../text/nearest.ts";
import type { TimeRange } from "../../time/dates.ts";
import { type Dates, readDates, readRange } from "../../time/readRange.ts";
import { readZone } from "../../time/readZone.ts";
import { catalogue } from "../catalogue/catalogue.ts";
import { isNow, rangeOfPeriod } from "../catalogue/fixedPeriod.ts";
import { fieldsWithGoal, isAboutGoals } from "../catalogue/goalTypes.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import { refusedFilter } from "../filters/allowedFilters.ts";
import { readFilters } from "../filters/readFilters.ts";
import { type Goal, readGoal } from "../goals/goal.ts";
import type { BucketUnit } from "../sql/buckets.ts";
import type { Filter } from "../sql/filters.ts";
import { readAttribution } from "./attribution.ts";
import { checkHourly, granularities, readBucketUnit } from "./granularity.ts";
import type { ParameterPlan } from "./parameterPlan.ts";
import { type Comparing, isComparable, rangeFor, readComparison } from "./readComparison.ts";
import { readSplit } from "./readSplit.ts";
import { typeWithShares } from "./sharedType.ts";

/** A parameter that can run once the websites are known, or the reason why it fails alone. */
export type PlannedParameter = {
  readonly label: string;
  readonly type: QueryType;
  readonly work: ParameterWork | RefusedWork;
};

/** Why a parameter fails alone, and the field of the query that is to blame. */
type RefusedWork = { readonly error: string; readonly detail?: ErrorDetail };

export type ParameterWork = Omit<ParameterPlan, "websiteIds"> & {
  /** The range whose rows it is compared with. */
  readonly compared?: TimeRange;
};

export type PlannedQuery = {
  readonly query: Query;
  readonly parameters: readonly PlannedParameter[];
  readonly page: number;
  readonly limit: number;
};

/** Rows of a parameter without a limit, as the answer's meta shows it (specification part 8). */
const defaultLimit = 100;

/**
 * Validates what the contract's own rules cannot express and turns a request into a plan. `nowMs` is the clock for
 * presets.
 *
 * Throws VALIDATION_ERROR with a detail for each unknown type, bad date, granularity, time zone or filter value, and
 * INVALID_DATE_PRESET when only presets are wrong (specification part 7, rules 1 to 3).
 */
export async function planQueries(request: QueryRequest, nowMs: number): Promise<PlannedQuery[]> {
  const problems = new Problems();
  const zone = readZone(request.timezone, problems);
  const queries = request.query === undefined ? request.queries : [request.query];
  if (queries.length === 0)
    problems.add(detail("", "needs a query: send an object with parameters, or an array of such objects"));
  const planned: PlannedQuery[] = [];
  for (const [index, query] of queries.entries()) {
    const at = request.query === undefined ? `[${index}].` : "";
    planned.push(await planQuery(query, { at, zone, nowMs, problems }));
    if (problems.isFull) break;
  }
  problems.throwIfAny();
  return planned;
}

/** The path to a query in the request (`[1].`), and what all queries share. */
type Context = {
  readonly at: string;
  readonly zone: IANAZone;
  readonly nowMs: number;
  readonly problems: Problems;
};

/** The settings of a query for all of its parameters. */
type Shared = {
  readonly query: Query;
  readonly goal: Goal | undefined;
  readonly filters: readonly Filter[];
  readonly dates: Dates;
  readonly unit: BucketUnit | undefined;
  readonly comparing: Comparing | undefined;
};

async function planQuery(query: Query, context: Context): Promise<PlannedQuery> {
  const { at, zone, nowMs, problems } = context;
  const shared = {
    query,
    goal: readGoal(query.goal, `${at}goal.`, problems),
    filters: readFilters(query.filters, (field, message) => problems.add(detail(`${at}${field}`, message))),
    unit: readBucketUnit(query.granularity, granularities, `${at}granularity`, problems),
    dates: readDates(query, at, zone, nowMs, problems),
    comparing: readComparison(query.compare, at, context),
  };
  const parameters: PlannedParameter[] = [];
  for (const [index, parameter] of query.parameters.entries()) {
    const planned = planParameter(parameter, index, shared, context);
    if (planned !== undefined) parameters.push(planned);
    if (problems.isFull) break;
    if (sliceIsOver()) await nextSlice();
  }
  return {
    query,
    parameters,
    page: query.page ?? 1,
    limit: query.limit ?? defaultLimit,
  };
}

function planParameter(
  parameter: QueryParameter,
  index: number,
  { query, goal, filters, dates, unit, comparing }: Shared,
  { at, zone, nowMs, problems }: Context,
): PlannedParameter | undefined {
  const where = `${at}parameters[${index}]`;
  const known = readType(parameter.name, where, problems);
  const split = known === undefined ? undefined : readSplitOf(parameter, known, where, problems);
  const attribution = readAttribution(parameter.attribution, split, `${where}.attribution`, problems);
  const sentRange = readRange(parameter, dates, { at, where }, zone, problems);
  const ownUnit = readBucketUnit(parameter.granularity ?? "", granularities, `${where}.granularity`, problems);
  const sentUnit = ownUnit ?? unit ?? "day";
  const unitAt = ownUnit === undefined ? `${at}granularity` : `${where}.granularity`;
  checkHourly(sentUnit, sentRange, zone, unitAt, problems);
  if (known === undefined || sentRange === undefined) return undefined;
  const hasGoal = goal !== undefined && fieldsWithGoal(known).length > 0;
  const type = hasGoal ? { ...known, fields: [...known.fields, ...fieldsWithGoal(known)] } : known;
  const range = type.period === undefined ? sentRange : rangeOfPeriod(type.period, nowMs, zone);
  const bucketUnit = type.bucketUnit ?? sentUnit;
  const label = parameter.id ?? parameter.name;
  const refused = refusedFilter(type, filters);
  if (refused !== undefined) {
    const wrong = { ...refused, field: `${at}${refused.field}` };
    return { label, type, work: { error: refused.message, detail: wrong } };
  }
  const limit = parameter.limit ?? query.limit ?? type.defaultLimit;
  const offset = ((query.page ?? 1) - 1) * limit;
  const hasOwnDates = parameter.startDate !== undefined || parameter.endDate !== undefined;
  const compared =
    comparing === undefined || !isComparable(type)
      ? undefined
      : rangeFor(type, comparing(range, hasOwnDates ? "" : query.preset));
  // A range of the caller's own may be longer.
  if (type.shape.kind === "series") checkHourly(sentUnit, compared, zone, unitAt, problems);
  const work = {
    type: typeWithShares(type, filters),
    range,
    isNow: isNow(type.period),
    zone,
    bucketUnit,
    filters,
    ...(hasGoal || (goal !== undefined && isAboutGoals(type)) ? { goals: [goal] } : {}),
    ...(split === undefined ? {} : { split, attribution }),
    limit,
    offset,
    compared,
  };
  return { label, type, work };
}

/** The field of visits that a parameter is split by; undefined without one. A wrong one is reported. */
function readSplitOf({ splitBy = "" }: QueryParameter, type: QueryType, where: string, problems: Problems) {
  if (splitBy === "") return undefined;
  const at = `${where}.split_by`;
  if (!isAboutGoals(type))
    return problems.add(detail(at, `splits goal_conversions only, not ${type.name}; leave it out`));
  return readSplit(splitBy, at, problems, ({ isOfVisit }) => isOfVisit === true);
}

function readType(name: string, where: string, problems: Problems): QueryType | undefined {
  return catalogue.get(name) ?? problems.add(unknownType(name, where));
}

/** The detail for a name that is no query type; `where` names the field. */
export function unknownType(name: string, where: string): ErrorDetail {
  const suggestion = nearest(name, catalogue.keys());
  const next = suggestion === undefined ? "GET /v1/query/types lists them" : `did you mean "${suggestion}"?`;
  return detail(where, `names the unknown query type ${quoted(name)}; ${next}`, suggestion);
}
