import type { AnalyzeGoalsReply } from "../../gen/lookout/services.ts";
import type { AnalyzeGoalsRequest } from "../../gen/lookout/v1/funnels_pb.ts";
import { Problems } from "../../problems.ts";
import type { TimeRange } from "../../time/dates.ts";
import { hullOf } from "../../time/timeRanges.ts";
import { readerOf } from "../answer/callReader.ts";
import { comparisonFrame } from "../answer/queryAnswer.ts";
import { bucketsOf } from "../plan/buckets.ts";
import { checkHourly, granularities, readBucketUnit } from "../plan/granularity.ts";
import { readComparison } from "../plan/readComparison.ts";
import type { QueryCall } from "../queryCall.ts";
import { countValues, requireFewFilterValues } from "../request/filterWork.ts";
import { findEventRecord } from "../unknown/eventRecord.ts";
import { unknownOfCompared } from "../unknown/unknownTimes.ts";
import { answerGoals, type Breakdown } from "./answerGoals.ts";
import { readScope, readSplit, requireWebsite, visitsOf } from "./eventScope.ts";
import { readWorthOf } from "./goal.ts";
import { countStepValues, readSteps } from "./steps.ts";

const defaultSplitLimit = 10;

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
  const split = readSplit(query.splitBy, problems);
  const unit = readBucketUnit(query.granularity, granularities, "granularity", problems);
  if (unit !== undefined) checkHourly(unit, scope.range, scope.zone, "granularity", problems);
  const worth = readWorthOf(query.value, "", problems);
  const comparing = readComparison(query.compare, "", { zone: scope.zone, nowMs, problems });
  problems.throwIfAny();
  // A statement compares with each value of a filter three times: for all visitors, for those who converted and for events.
  requireFewFilterValues(3 * (countStepValues(query.goals) + countValues(query.filters)), call);
  const websiteIds = await requireWebsite(websiteId, call);
  const shared = readerOf(call, websiteIds);
  const answer = async (range: TimeRange, values?: Breakdown["values"]) => {
    const buckets = unit === undefined ? undefined : bucketsOf(range, unit, scope.zone);
    const breakdown = { split, splitLimit: query.splitLimit ?? defaultSplitLimit, values, buckets, worth };
    const reader = shared.over(range);
    return answerGoals(goals, await visitsOf({ ...scope, range }, websiteIds, reader, call), breakdown, reader);
  };
  const results = await answer(scope.range);
  const reply = { success: true, requestId: call.requestId, goals: results };
  const other = comparing?.(scope.range, query.preset).soFar;
  if (other === undefined) return reply;
  const values = results.map(({ splits = [] }) => splits.map(({ value = "" }) => value));
  const [compared, record] = await Promise.all([
    answer(other, values),
    findEventRecord(websiteIds, hullOf([scope.range, other]) ?? other, call.app),
  ]);
  const known = unknownOfCompared(record, scope.range, other);
  return { ...reply, comparison: { ...comparisonFrame({ range: other, ...known }), goals: compared } };
}
