import type { JsonObject } from "@bufbuild/protobuf";
import type { Pool } from "pg";
import { authRequired } from "../../access/authorize.ts";
import { audienceOnly, unavailable } from "../../errors/errors.ts";
import { Problems } from "../../errors/problems.ts";
import type { QueryLinkAnalyticsReply } from "../../gen/lookout/services.ts";
import type { QueryLinkAnalyticsRequest } from "../../gen/lookout/v1/links_pb.ts";
import { type CallReader, readerOf } from "../../query/answer/callReader.ts";
import { runParameter } from "../../query/answer/runParameter.ts";
import type { ParameterPlan } from "../../query/plan/parameterPlan.ts";
import type { QueryCall } from "../../query/queryCall.ts";
import type { Project } from "../../query/request/project.ts";
import type { Filter } from "../../query/sql/filters.ts";
import { isStoreUnavailable } from "../../store/storeUnavailable.ts";
import { readBounds } from "../../time/readRange.ts";
import { readZone } from "../../time/readZone.ts";
import { analyticsScope, linksOfSlug } from "./analyticsScope.ts";
import { analyticsType, type Dimension, fieldOfDimension, type Metric } from "./analyticsTypes.ts";
import { type Conversions, readConversions } from "./conversions.ts";

const defaultLimit = 100;

/** More rows than any range has days, and than anyone reads of a dimension. */
const allRows = 100_000;

/**
 * POST /analytics/query (specification 4.14): clicks, unique visitors or the conversion rate of short links, by a
 * dimension or in total. Rows also carry the clicks and visitors behind a rate. By date every day of the period has a
 * row; otherwise the largest come first.
 *
 * Rejects with VALIDATION_ERROR, ACCESS_DENIED, and SERVICE_UNAVAILABLE when the event store does not answer.
 */
export async function queryLinkAnalytics(
  request: QueryLinkAnalyticsRequest,
  call: QueryCall,
): Promise<QueryLinkAnalyticsReply> {
  const problems = new Problems();
  const zone = readZone(request.timezone ?? "", problems);
  const bounds = { start: request.dateFrom, end: request.dateTo };
  const range = readBounds(bounds, { start: "dateFrom", end: "dateTo" }, zone, problems);
  problems.throwIfAny();
  if (range === undefined) throw new Error("an invalid period was not reported");
  // The contract allows no other values.
  const metric = request.metric as Metric;
  const dimension = request.dimension as Dimension | undefined;
  const limit = request.limit ?? (dimension === "date" ? allRows : defaultLimit);
  const project = await analyticsScope(request.websiteId, call);
  const plan: ParameterPlan = {
    ...project,
    type: analyticsType(metric, dimension),
    range,
    zone,
    bucketUnit: "day",
    filters: await filtersOf(request, call),
    limit: metric === "conversionRate" ? allRows : limit,
    offset: 0,
  };
  const { rows, total } = await readFigures(plan, metric, project, call);
  return {
    data: rows.slice(0, limit),
    total,
    period: { from: new Date(range.startMs).toISOString(), to: new Date(range.endMs).toISOString() },
  };
}

async function readFigures(
  plan: ParameterPlan,
  metric: Metric,
  project: Project,
  call: QueryCall,
): Promise<{ rows: JsonObject[]; total: number }> {
  const reader = readerOf(call, project.websiteIds).over(plan.range);
  const inAll: ParameterPlan = { ...plan, type: analyticsType(metric, undefined) };
  try {
    if (metric === "conversionRate") return await readRates(plan, inAll, await trackedIdsOf(project, call), reader);
    const [rows, [sum]] = await Promise.all([runParameter(plan, reader), runParameter(inAll, reader)]);
    return { rows, total: Number(sum?.[metric] ?? 0) };
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    throw unavailable("The event store does not answer. Try again in a few seconds", 5, error);
  }
}

async function readRates(
  plan: ParameterPlan,
  inAll: ParameterPlan,
  trackedIds: readonly string[],
  reader: CallReader,
): Promise<{ rows: JsonObject[]; total: number }> {
  const [rows, byValue, all] = await Promise.all([
    runParameter(plan, reader),
    readConversions(plan, trackedIds, reader),
    readConversions(inAll, trackedIds, reader),
  ]);
  const [name] = plan.type.fields.flatMap((field) => ("measure" in field.from ? [] : field.name));
  const rated = rows.map((row) => {
    const conversions = byValue.get(name === undefined ? "" : String(row[name]));
    return { ...row, conversions: conversions?.converted ?? 0, conversionRate: rateOf(conversions) };
  });
  // Days keep their order. The sort is stable, so among equal rates the one with more clicks stays first.
  if (plan.type.shape.kind === "table") rated.sort((a, b) => b.conversionRate - a.conversionRate);
  return { rows: rated, total: rateOf(all.get("")) };
}

/** Percent with two places. */
function rateOf(conversions: Conversions | undefined): number {
  if (conversions === undefined || conversions.visitors === 0) return 0;
  return Math.round((10_000 * conversions.converted) / conversions.visitors) / 100;
}

/**
 * The websites whose page views the caller may see and clicks be joined with. Rejects with CONFLICT if what is asked about is a website that
 * measures its audience only, or a link to one.
 */
async function trackedIdsOf({ websiteIds, linkId }: Project, { app, caller }: QueryCall): Promise<string[]> {
  if (caller === undefined) throw authRequired();
  const websites = await app.websites.list(caller.organizationId, caller.websiteIds);
  const audience = new Set(websites.filter(({ privacy }) => privacy.audienceOnly).map(({ id }) => id));
  const asked = linkId === undefined ? websiteIds : await targetsOf(linkId, app.postgres);
  if (asked.length === 1 && asked.some((id) => audience.has(id)))
    throw audienceOnly("No conversion rate is answered, since it joins clicks with visits");
  // The empty id matches no website, so that an empty list matches nothing.
  return [...new Set(["", ...websiteIds, ...websites.map(({ id }) => id)])].filter((id) => !audience.has(id));
}

async function targetsOf(linkId: string, postgres: Pick<Pool, "query">): Promise<string[]> {
  const { rows } = await postgres.query<{ id: string }>(
    "SELECT target_website_id AS id FROM links WHERE id = $1 AND target_website_id IS NOT NULL",
    [linkId],
  );
  return rows.map(({ id }) => id);
}

async function filtersOf({ filters }: QueryLinkAnalyticsRequest, { app, caller }: QueryCall): Promise<Filter[]> {
  if (filters === undefined || caller === undefined) return [];
  const equals = (field: string, values: readonly string[]): Filter => ({
    field,
    comparison: "equals",
    negated: false,
    values,
  });
  const chosen = Object.entries(fieldOfDimension).flatMap(([name, field]) => {
    const value: unknown = Reflect.get(filters, name);
    return typeof value === "string" ? [equals(field, [value])] : [];
  });
  if (filters.linkId !== undefined) chosen.push(equals("link_id", [filters.linkId]));
  if (filters.linkSlug !== undefined) {
    const ids = await linksOfSlug(filters.linkSlug, caller, app.postgres);
    chosen.push(equals("link_id", ids.length === 0 ? ["none"] : ids));
  }
  return chosen;
}
