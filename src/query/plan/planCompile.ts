import { ApiError } from "../../errors/errors.ts";
import { detail, Problems, quoted } from "../../errors/problems.ts";
import type { CompileQuery } from "../../gen/lookout/v1/query_pb.ts";
import { nearest } from "../../text/nearest.ts";
import { readBounds } from "../../time/readRange.ts";
import { readZone } from "../../time/readZone.ts";
import { catalogue } from "../catalogue/catalogue.ts";
import { isNow, rangeOfPeriod } from "../catalogue/fixedPeriod.ts";
import { isAboutGoals } from "../catalogue/goalTypes.ts";
import { grouped, type QueryType } from "../catalogue/queryType.ts";
import { measuresOf } from "../catalogue/typeParts.ts";
import { refusedFilter } from "../filters/allowedFilters.ts";
import { readFilters } from "../filters/readFilters.ts";
import { type FieldName, fieldNameOf, fieldNames } from "../sql/fields.ts";
import { measureOf } from "../sql/measures.ts";
import { checkHourly, readBucketUnit, timeUnits } from "./granularity.ts";
import type { ParameterPlan } from "./parameterPlan.ts";
import { unknownType } from "./planQuery.ts";
import { typeWithShares } from "./sharedType.ts";

/** A query to compile, once its website is known. `isPage` says whether a page of the rows was requested. */
export type CompilePlan = { readonly work: Omit<ParameterPlan, "websiteIds">; readonly isPage: boolean };

/** Types with measures can be grouped and sorted in other ways; the others have their own statements. */
const measuredShapes: ReadonlySet<QueryType["shape"]["kind"]> = new Set(["summary", "series", "table"]);

/**
 * Validates a query to compile (specification 4.4) and turns it into a plan. `nowMs` is the clock for types with a
 * fixed period.
 *
 * Throws UNKNOWN_QUERY_TYPE, then COMPILATION_ERROR with a detail for each bad date, time unit, filter, group, order or
 * time zone.
 */
export function planCompile(query: CompileQuery, timezone: string, nowMs: number): CompilePlan {
  const known = knownType(query.type);
  const problems = new Problems();
  if (isAboutGoals(known))
    problems.add(
      detail("type", `names ${known.name}, whose statements depend on the website's goals; compile another type`),
    );
  const zone = readZone(timezone, problems);
  const bounds = { start: query.from, end: query.to };
  const range = readBounds(bounds, { start: "from", end: "to" }, zone, problems);
  const bucketUnit = readBucketUnit(query.timeUnit ?? "", timeUnits, "timeUnit", problems) ?? "day";
  checkHourly(bucketUnit, range, zone, "timeUnit", problems);
  const filters = readFilters(query.filters, (field, message) => problems.add(detail(field, message)));
  const refused = refusedFilter(known, filters);
  if (refused !== undefined) problems.add({ ...refused, message: `cannot be used: ${refused.message}` });
  const type = regrouped(known, query.groupBy, problems);
  const order = readOrder(query.orderBy ?? "", type, problems);
  problems.throwIfAnyAs("COMPILATION_ERROR");
  if (range === undefined) throw new Error("a range that is not usable was not noted");
  const limit = query.limit ?? type.defaultLimit;
  const work = {
    type: typeWithShares(type, filters),
    range: type.period === undefined ? range : rangeOfPeriod(type.period, nowMs, zone),
    isNow: isNow(type.period),
    zone,
    bucketUnit: type.bucketUnit ?? bucketUnit,
    filters,
    limit,
    offset: query.offset ?? 0,
  };
  return {
    work: order === undefined ? work : { ...work, order },
    isPage: query.limit !== undefined || query.offset !== undefined,
  };
}

function knownType(name: string): QueryType {
  const type = catalogue.get(name);
  if (type !== undefined) return type;
  const unknown = unknownType(name, "type");
  throw new ApiError("UNKNOWN_QUERY_TYPE", `type ${unknown.message}`, { details: [unknown] });
}

/** The type with a row for each combination of these fields' values. */
function regrouped(type: QueryType, groupBy: readonly string[], problems: Problems): QueryType {
  if (groupBy.length === 0) return type;
  const relations = new Set(measuresOf(type).map((name) => measureOf(name).relation));
  if (!measuredShapes.has(type.shape.kind) || relations.size !== 1) {
    problems.add(detail("groupBy", `is not possible for ${type.name}; leave it out or ask a type with fewer figures`));
    return type;
  }
  const dimensions = groupBy.flatMap((name, index) => readGroup(type, name, index, problems) ?? []);
  return {
    ...type,
    shape: type.shape.kind === "table" ? { ...type.shape, dimensions } : { kind: "table", dimensions },
    fields: [
      ...dimensions.map((name, index) => grouped(name, name, index)),
      ...type.fields.filter(({ from }) => "measure" in from || "share" in from || "ratio" in from),
    ],
  };
}

function readGroup(type: QueryType, name: string, index: number, problems: Problems): FieldName | undefined {
  const field = fieldNameOf(type.table, name);
  if (field !== undefined) return field;
  const names = fieldNames(type.table);
  const message = `must be one of ${names.join(", ")}, not ${quoted(name)}`;
  return problems.add(detail(`groupBy[${index}]`, message, nearest(name, names)));
}

function readOrder(text: string, type: QueryType, problems: Problems): ParameterPlan["order"] {
  if (text === "") return undefined;
  const descending = text.startsWith("-");
  const field = descending ? text.slice(1) : text;
  if (!measuredShapes.has(type.shape.kind))
    return problems.add(detail("orderBy", `is not possible for ${type.name}, which has its own order; leave it out`));
  const names = type.fields.map(({ name }) => name);
  if (names.includes(field)) return { field, descending };
  const message = `must be one of ${names.join(", ")}, not ${quoted(field)}`;
  return problems.add(detail("orderBy", message, nearest(field, names)));
}
