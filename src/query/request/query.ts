import { create, fromJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { authRequired } from "../../access/authorize.ts";
import { AnswerInParts } from "../../call/answerInParts.ts";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { QueryMetaInit, QueryReply } from "../../gen/lookout/services.ts";
import {
  type AnswerHint,
  AnswerHintSchema,
  type Query,
  type QueryParameter,
  type QueryRequest,
} from "../../gen/lookout/v1/query_pb.ts";
import type { TimeRange } from "../../time/dates.ts";
import { hullOf } from "../../time/timeRanges.ts";
import { type AnsweredQueries, answerQueries } from "../answer/answerQueries.ts";
import { ownerOf, readerOf } from "../answer/callReader.ts";
import { type AnswerFrame, answerMessage, answerTexts, collect, parameterTexts } from "../answer/queryAnswer.ts";
import { takeSnapshot } from "../answer/snapshot.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import { pastRetentionOf, unknownOf } from "../daily/pastRetention.ts";
import { isPublicFilter } from "../filters/allowedFilters.ts";
import { countValues, requireFewFilterValues } from "../filters/filterWork.ts";
import { countStepValues } from "../goals/steps.ts";
import { findAbsentValues, valuesOfFilters } from "../hints/absentValues.ts";
import { notingEmpty } from "../hints/emptyAnswers.ts";
import { findUnsentNames, namesOfFilters, namesOfSteps, namesOfWorth } from "../hints/unsentNames.ts";
import { attributionHints } from "../plan/attribution.ts";
import { type PlannedQuery, planQueries } from "../plan/planQuery.ts";
import type { QueryCall } from "../queryCall.ts";
import { findEventRecord } from "../unknown/eventRecord.ts";
import { futureHints, withFuture } from "../unknown/futureTimes.ts";
import { type EventRecord, mayBeUnknown, shownTimes } from "../unknown/unknownTimes.ts";
import { withAudienceOnly } from "./audienceQueries.ts";
import { withGoalsOfWebsite } from "./goalsOfWebsite.ts";
import { accessDenied, type Project, resolveProject } from "./project.ts";
import { withFixedFilters } from "./sharedFilters.ts";

/**
 * POST /v1/query (specification 4.1): answers each parameter of one query, or of a batch, independently and in the
 * order sent. A JSON answer is sent while later parameters are still being read, so only a few parameters are in memory
 * however long it is.
 *
 * Throws VALIDATION_ERROR or INVALID_DATE_PRESET, then MISSING_PROJECT_ID, then ACCESS_DENIED or AUTH_REQUIRED, and
 * SERVICE_UNAVAILABLE when no parameter could reach the event store.
 */
export async function query(request: QueryRequest, call: QueryCall): Promise<AnswerInParts<QueryReply>> {
  const { frame, answers } = await startQueries(request, call);
  return new AnswerInParts({
    json: () => answerTexts(frame, answers(parameterTexts)),
    whole: async () => answerMessage(frame, await collect(answers((one) => one)), call.isBinary),
  });
}

/** Validates a request and the caller's access, and prepares the answer. Throws what `query` throws. */
export async function startQueries(
  asked: QueryRequest,
  call: QueryCall,
): Promise<{ frame: AnswerFrame; answers: AnsweredQueries }> {
  const request = withFixedFilters(asked, call.shared);
  const nowMs = Date.now();
  const planned = await planQueries(request, nowMs);
  requireFewFilterValues(
    planned.reduce((sum, { query, parameters }) => sum + parameters.length * countValuesOf(query), 0),
    call,
  );
  const project = await resolveProject(request, call);
  if (project.publicOnly) requirePublicTypes(planned, project, call);
  const queries = await withGoalsOfWebsite(withAudienceOnly(planned, project), project, call);
  const types = queries.flatMap(({ parameters }) => parameters.map(({ type }) => type));
  const readsOnce = types.length === 1 && queries.every(({ query: { compare } }) => compare === undefined);
  const [record, isConsistent] = await Promise.all([
    eventRecordOf(queries, project, call),
    readsOnce ? async () => true : takeSnapshot(types, call.app.questdb, ownerOf(call, project.websiteIds)),
  ]);
  const isEmpty: boolean[] = [];
  let before = 0;
  const frame = {
    isConsistent,
    requestId: call.requestId,
    isBatch: request.query === undefined,
    queries: await mapInSlices(queries, (planned) => {
      const { length } = planned.parameters;
      const first = before;
      before += length;
      const isAllEmpty = () => length > 0 && isEmpty.slice(first, first + length).every((each) => each);
      const early = project.publicOnly ? Promise.resolve([]) : hintsOf(planned, project, call, nowMs);
      const hints = async () => [
        ...(await early),
        ...(!project.publicOnly && isAllEmpty() ? await hintsOfValues(planned, project, call) : []),
      ];
      return { queryId: planned.query.id ?? "", meta: metaOf(planned, record, nowMs), hints, parameters: length };
    }),
  };
  return { frame, answers: notingEmpty(answerQueries(queries, project, call, record), isEmpty) };
}

/** How many values a parameter compares with: figures of goals compare each four times. */
function countValuesOf({ filters, goal }: Query): number {
  return goal === undefined ? countValues(filters) : 4 * (countValues(filters) + countStepValues([goal]));
}

function requirePublicTypes(queries: readonly PlannedQuery[], { types }: Project, call: QueryCall): void {
  const allPublic = queries.every(
    ({ query, parameters }) =>
      query.goal === undefined &&
      parameters.every(({ type }) => type.isPublic && (types === undefined || types.includes(type.name))) &&
      query.filters.every(({ field }) => isPublicFilter(field)),
  );
  if (allPublic) return;
  throw call.caller === undefined && call.shared === undefined ? authRequired() : accessDenied();
}

/** What is stored about the events, errors and vitals that the queries are about; undefined if they are about none. */
async function eventRecordOf(
  queries: readonly PlannedQuery[],
  { websiteIds }: Project,
  call: QueryCall,
): Promise<EventRecord | undefined> {
  const works = queries.flatMap((query) => worksOf(query, mayBeUnknown));
  const range = hullOf(works.flatMap(({ range: own, compared }) => (compared === undefined ? [own] : [own, compared])));
  return range === undefined || websiteIds.length === 0 ? undefined : findEventRecord(websiteIds, range, call.app);
}

/** The parameters of some types, as far as they can run. */
function worksOf({ parameters }: Pick<PlannedQuery, "parameters">, isAsked: (type: QueryType) => boolean) {
  return parameters.flatMap(({ type, work }) => ("error" in work || !isAsked(type) ? [] : [work]));
}

/** The range of the parameters that are about events, errors or vitals. */
function rangeOfRows(query: Pick<PlannedQuery, "parameters">): TimeRange | undefined {
  return hullOf(worksOf(query, mayBeUnknown).map(({ range }) => range));
}

/** The range that the request asks for; undefined if its types have fixed ones. */
function askedRange(query: Pick<PlannedQuery, "parameters">): TimeRange | undefined {
  return hullOf(worksOf(query, ({ period }) => period === undefined).map(({ range }) => range));
}

function metaOf(planned: PlannedQuery, record: EventRecord | undefined, nowMs: number): QueryMetaInit {
  const { query, page, limit } = planned;
  const unknown = record === undefined ? [] : unknownOf(planned, record);
  const range = askedRange(planned);
  const pastRetention = record === undefined ? undefined : pastRetentionOf(planned, record);
  return {
    parameters: query.parameters.map(asSent),
    totalParameters: query.parameters.length,
    page,
    limit,
    filtersApplied: query.filters.length,
    unknown: shownTimes(range === undefined ? unknown : withFuture(unknown, range, nowMs)),
    ...(pastRetention === undefined ? {} : { pastRetention }),
  };
}

/** What to know about the answer to a query. Names of events are not public. */
async function hintsOf(
  { query, parameters }: PlannedQuery,
  { websiteIds }: Project,
  call: QueryCall,
  nowMs: number,
): Promise<AnswerHint[]> {
  const goals = query.goal === undefined ? [] : [query.goal];
  const names = [
    ...namesOfFilters(query.filters, ""),
    ...namesOfSteps(goals, () => "goal."),
    ...namesOfWorth(query.goal?.value, "goal."),
  ];
  const ofAttribution = query.parameters.flatMap(({ attribution }, index) =>
    attributionHints(attribution, `parameters[${index}].attribution`),
  );
  const range = rangeOfRows({ parameters });
  const ofNames =
    range === undefined ? [] : await findUnsentNames(names, { websiteIds, range }, readerOf(call, websiteIds));
  const ofDates = query.preset !== "" && query.startDate + query.endDate !== "" ? [ignoredDates] : [];
  const ofFuture = futureHints(askedRange({ parameters }), nowMs, "startDate");
  return [...ofNames, ...ofAttribution, ...ofDates, ...ofFuture].map((hint) => create(AnswerHintSchema, hint));
}

/** Why a query may have been answered with nothing. */
async function hintsOfValues(
  { query: { filters }, parameters }: PlannedQuery,
  { websiteIds, audience, monitorId, linkId }: Project,
  call: QueryCall,
): Promise<AnswerHint[]> {
  const range = rangeOfRows({ parameters });
  const [table, ...others] = new Set(parameters.map(({ type }) => type.table));
  const isOther = audience.size > 0 || monitorId !== undefined || linkId !== undefined;
  if (range === undefined || table === undefined || isOther) return [];
  const asked = valuesOfFilters(filters, "");
  const reader = readerOf(call, websiteIds);
  const found = await findAbsentValues(asked, others.length === 0 ? table : "events", { websiteIds, range }, reader);
  return found.map((hint) => create(AnswerHintSchema, hint));
}

const ignoredDates = { field: "preset", message: "is used instead of startDate and endDate; leave one of them out" };

/** A parameter with only a name was, or could have been, sent as a plain string. */
function asSent({ name, id, startDate, endDate, granularity, limit, splitBy, attribution }: QueryParameter): Value {
  const given = { id, start_date: startDate, end_date: endDate, granularity, limit, split_by: splitBy, attribution };
  const more = Object.entries(given).filter(([, value]) => value !== undefined);
  return fromJson(ValueSchema, more.length === 0 ? name : { name, ...Object.fromEntries(more) });
}
