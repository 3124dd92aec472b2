import type {
  AnalyzeGoalsReply,
  GoalFiguresInit,
  GoalResultInit,
  GoalRevenueInit,
} from "../../gen/lookout/services.ts";
import type { AnalyzeGoalsRequest, GoalValue } from "../../gen/lookout/v1/funnels_pb.ts";
import { detail, Problems } from "../../problems.ts";
import { type CallReader, readerOf } from "../answer/callReader.ts";
import { type Buckets, bucketsOf } from "../plan/buckets.ts";
import { checkHourly, granularities, readBucketUnit } from "../plan/granularity.ts";
import type { QueryCall } from "../queryCall.ts";
import { countValues, requireFewFilterValues } from "../request/filterWork.ts";
import { Top } from "../shapes/top.ts";
import { propertyKeyProblem } from "../sql/eventProperties.ts";
import type { Field } from "../sql/fields.ts";
import type { VisitScope } from "../visits/visitsSql.ts";
import { readScope, readSplit, requireWebsite, visitsOf } from "./eventScope.ts";
import { GoalCounter, type GoalCounts } from "./goalCounter.ts";
import { type GoalKey, type GoalWorth, goalsStatement } from "./goalsStatement.ts";
import { readWorth } from "./goalWorth.ts";
import { percent } from "./percent.ts";
import { countStepValues, readSteps, type Step } from "./steps.ts";

const defaultSplitLimit = 10;

/** How the figures of goals are broken down, besides their totals. */
type Breakdown = {
  readonly split: Field | undefined;
  readonly splitLimit: number;
  readonly buckets: Buckets | undefined;
  /** What they are worth, if that is wanted. */
  readonly worth: GoalWorth | undefined;
};

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
  const scope = readScope(query, timezone, Date.now(), problems);
  const goals = readSteps(query.goals, "goals", problems);
  const split = readSplit(query.splitBy, problems);
  const unit = readBucketUnit(query.granularity, granularities, "granularity", problems);
  if (unit !== undefined) checkHourly(unit, scope.range, scope.zone, "granularity", problems);
  const worth = readWorthOf(query.value, problems);
  problems.throwIfAny();
  // A statement compares with each value of a filter three times: for all visitors, for those who converted and for events.
  requireFewFilterValues(3 * (countStepValues(query.goals) + countValues(query.filters)), call);
  const websiteIds = await requireWebsite(websiteId, call);
  const breakdown: Breakdown = {
    split,
    splitLimit: query.splitLimit ?? defaultSplitLimit,
    buckets: unit === undefined ? undefined : bucketsOf(scope.range, unit, scope.zone),
    worth,
  };
  const reader = readerOf(call, websiteIds).over(scope.range);
  const results = await answerGoals(goals, await visitsOf(scope, websiteIds, reader, call), breakdown, reader);
  return { success: true, requestId: call.requestId, goals: results };
}

/** Answers all goals together: the events are read once per breakdown, whatever the number of goals. */
async function answerGoals(
  goals: readonly Step[],
  scope: VisitScope,
  { split, splitLimit, buckets, worth }: Breakdown,
  reader: CallReader,
): Promise<GoalResultInit[]> {
  const ask = async (key: GoalKey | undefined, take: (counts: GoalCounts) => void): Promise<void> => {
    const counter = new GoalCounter(goals.length, take);
    const { sql, values } = goalsStatement(goals, scope, key);
    await reader.readEach(sql, values, ([mask, visitors, events, value]) =>
      counter.add(value ?? "", Number(mask), Number(visitors), Number(events)),
    );
    counter.finish();
  };
  let total: GoalCounts | undefined;
  await ask(undefined, (counts) => {
    total = counts;
  });
  const splits = goals.map((_, goal) => new Top<GoalCounts>(splitLimit, byConversions(goal)));
  if (split !== undefined)
    await ask({ field: split }, (counts) => {
      for (const top of splits) top.add(counts);
    });
  const byBucket = new Map<number, GoalCounts>();
  if (buckets !== undefined) await ask({ buckets }, (counts) => byBucket.set(Number(counts.key), counts));
  const shownValues = new Set(splits.flatMap((top) => top.items.map(({ key }) => key)));
  const worthBy = async (key: GoalKey | undefined, isShown: (key: string) => boolean) =>
    worth === undefined ? undefined : await readWorth(goals, scope, key, { worth, isShown }, reader);
  const ofTotal = await worthBy(undefined, () => true);
  const ofSplit = split === undefined ? undefined : await worthBy({ field: split }, (key) => shownValues.has(key));
  const ofBucket = buckets === undefined ? undefined : await worthBy({ buckets }, () => true);
  return goals.map(({ name }, goal) => ({
    name,
    total: figuresOf(total, goal, ofTotal?.("", goal)),
    splits:
      splits[goal]?.items.map((counts) => ({
        value: counts.key,
        figures: figuresOf(counts, goal, ofSplit?.(counts.key, goal)),
      })) ?? [],
    series: (buckets?.labels ?? []).map((date, index) => ({
      date,
      figures: figuresOf(byBucket.get(index), goal, ofBucket?.(String(index), goal)),
    })),
  }));
}

/** The properties that say what goals are worth; undefined if that is not asked. Problems are reported. */
function readWorthOf(value: GoalValue | undefined, problems: Problems): GoalWorth | undefined {
  if (value === undefined) return undefined;
  for (const name of ["property", "currencyProperty"] as const) {
    const problem = value[name] === undefined ? undefined : propertyKeyProblem(value[name]);
    if (problem !== undefined) problems.add(detail(`value.${name}`, `cannot be used: ${problem}`));
  }
  return { property: value.property, currencyProperty: value.currencyProperty };
}

/** Values with most conversions first. */
function byConversions(goal: number): (a: GoalCounts, b: GoalCounts) => number {
  return (a, b) =>
    (b.converted[goal] ?? 0) - (a.converted[goal] ?? 0) ||
    (b.completions[goal] ?? 0) - (a.completions[goal] ?? 0) ||
    b.visitors - a.visitors ||
    (a.key < b.key ? -1 : 1);
}

function figuresOf(counts: GoalCounts | undefined, goal: number, revenue: GoalRevenueInit[] = []): GoalFiguresInit {
  const visitors = counts?.visitors ?? 0;
  const converted = counts?.converted[goal] ?? 0;
  return {
    visitors,
    converted,
    conversionRate: percent(converted, visitors),
    completions: counts?.completions[goal] ?? 0,
    revenue,
  };
}
