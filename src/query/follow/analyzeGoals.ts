import { Problems } from "../../errors/problems.ts";
import type { AnalyzeGoalsReply } from "../../gen/lookout/services.ts";
import type { AnalyzeGoalsRequest } from "../../gen/lookout/v1/funnels_pb.ts";
import type { TimeRange } from "../../time/dates.ts";
import { hullOf, merged } from "../../time/timeRanges.ts";
import { readerOf } from "../answer/callReader.ts";
import { comparisonFrame } from "../answer/queryAnswer.ts";
import { countValues, requireFewFilterValues } from "../filters/filterWork.ts";
import { readWorthOf } from "../goals/goal.ts";
import { countStepValues, readSteps } from "../goals/steps.ts";
import { findAbsentValues, valuesOfSteps } from "../hints/absentValues.ts";
import { findUnsentNames, namesOfFilters, namesOfSteps, namesOfWorth } from "../hints/unsentNames.ts";
import { attributionHints, readAttribution } from "../plan/attribution.ts";
import { checkHourly, granularities, readBucketUnit } from "../plan/granularity.ts";
import { readComparison } from "../plan/readComparison.ts";
import { readSplit } from "../plan/readSplit.ts";
import type { QueryCall } from "../queryCall.ts";
import { bucketsOf } from "../sql/buckets.ts";
import type { Field } from "../sql/fields.ts";
import { findEventRecord } from "../unknown/eventRecord.ts";
import { futureHints, withFuture } from "../unknown/futureTimes.ts";
import { shownTimes, unknownOfCompared, unknownTimes } from "../unknown/unknownTimes.ts";
import { answerGoals, type Breakdown } from "./answerGoals.ts";
import { readScope, requireWebsite, visitsOf } from "./eventScope.ts";

const defaultSplitLimit = 10;

/** What a split by a field of events does not answer. */
function splitHints(split: Field | undefined) {
  if (split === undefined || split.isOfVisit === true) return [];
  const message =
    "is the value of the goal's own event; for the pages that visitors saw before it ask the query type top_pages with this goal, or split by entry_page";
  return [{ field: "splitBy", message }];
}

/**
 * POST /v1/query/goals: how often each goal is reached, and by how many of all visitors.
 *
 * Throws VALIDATION_ERROR or INVALID_DATE_PRESET, MISSING_WEBSITE_ID, ACCESS_DENIED, and QUERY_ERROR for a timeout.
 */
export async function analyzeGoals(
  { query, websiteId, timezone }: AnalyzeGoalsRequest,
  call: QueryCall,
): Promise<AnalyzeGoalsReply> {
  if (query === undefined) throw new Error("the contract lets no request without a query pass");
  const problems = new Problems();
  const nowMs = Date.now();
  const scope = readScope(query, timezone, nowMs, problems);
  const goals = readSteps(query.goals, "goals", problems);
  const split = readSplit(query.splitBy, "splitBy", problems);
  const unit = readBucketUnit(query.granularity, granularities, "granularity", problems);
  if (unit !== undefined) checkHourly(unit, scope.range, scope.zone, "granularity", problems);
  const worth = readWorthOf(query.value, "", problems);
  const attribution = readAttribution(query.attribution, split, "attribution", problems);
  const comparing = readComparison(query.compare, "", { zone: scope.zone, nowMs, problems });
  problems.throwIfAny();
  // A statement compares with each value of a filter three times: for all visitors, for those who converted and for events.
  requireFewFilterValues(3 * (countStepValues(query.goals) + countValues(query.filters)), call);
  const websiteIds = await requireWebsite(websiteId, call);
  const shared = readerOf(call, websiteIds);
  const other = comparing?.(scope.range, query.preset).soFar;
  const all = hullOf(other === undefined ? [scope.range] : [scope.range, other]) ?? scope.range;
  const record = await findEventRecord(websiteIds, all, call.app);
  const unknownOf = (range: TimeRange) =>
    withFuture(record === undefined ? [] : unknownTimes(record, range), range, nowMs);
  const answer = async (range: TimeRange, values?: Breakdown["values"]) => {
    const buckets = unit === undefined ? undefined : bucketsOf(range, unit, scope.zone);
    const splitLimit = query.splitLimit ?? defaultSplitLimit;
    const breakdown = { split, splitLimit, values, buckets, worth, unknown: merged(unknownOf(range)) };
    const reader = shared.over(range);
    const asked = { split, steps: goals, attribution };
    const visits = await visitsOf({ ...scope, range }, websiteIds, reader, call, asked);
    return answerGoals(goals, visits, breakdown, reader);
  };
  const placeOf = (index: number) => `goals[${index}].`;
  const names = [
    ...namesOfFilters(query.filters, ""),
    ...namesOfSteps(query.goals, placeOf),
    ...namesOfWorth(query.value, ""),
  ];
  const [results, unsent] = await Promise.all([
    answer(scope.range),
    findUnsentNames(names, { websiteIds, range: scope.range }, shared),
  ]);
  const asked = valuesOfSteps(
    query.goals.map(({ filters }, index) => ({
      filters,
      taken: results[index]?.total?.converted ?? 0,
      at: placeOf(index),
    })),
    { filters: query.filters, visitors: Math.max(...results.map(({ total }) => total?.visitors ?? 0)) },
  );
  const absent = await findAbsentValues(asked, "events", { websiteIds, range: scope.range }, shared);
  const reply = {
    success: true,
    requestId: call.requestId,
    goals: results,
    unknown: shownTimes(unknownOf(scope.range)),
    hints: [
      ...unsent,
      ...absent,
      ...attributionHints(attribution, "attribution"),
      ...splitHints(split),
      ...futureHints(scope.range, nowMs, "startDate"),
    ],
  };
  if (other === undefined) return reply;
  const values = results.map(({ splits = [] }) => splits.map(({ value = "" }) => value));
  const compared = await answer(other, values);
  const known = unknownOfCompared({ record, range: scope.range }, { record, range: other });
  return { ...reply, comparison: { ...comparisonFrame({ range: other, ...known }), goals: compared } };
}
