import type { AnalyzeGoalsReply, GoalFiguresInit, GoalResultInit } from "../../gen/lookout/services.ts";
import type { AnalyzeGoalsRequest } from "../../gen/lookout/v1/funnels_pb.ts";
import { Problems } from "../../problems.ts";
import { type CallReader, readerOf } from "../answer/callReader.ts";
import { type Buckets, bucketsOf } from "../plan/buckets.ts";
import { checkHourly, granularities, readBucketUnit } from "../plan/granularity.ts";
import type { QueryCall } from "../queryCall.ts";
import { countValues, requireFewFilterValues } from "../request/filterWork.ts";
import { Top } from "../shapes/top.ts";
import { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import type { Field } from "../sql/fields.ts";
import { allOf, filterSql } from "../sql/filters.ts";
import { labelled } from "../sql/grouped.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { type EventScope, readScope, readSplit, requireWebsite } from "./eventScope.ts";
import { GoalCounter, type GoalCounts } from "./goalCounter.ts";
import { percent } from "./percent.ts";
import { countStepValues, readSteps, type Step, stepSql } from "./steps.ts";

const defaultSplitLimit = 10;

/** How the figures of goals are broken down, besides their totals. */
type Breakdown = {
  readonly split: Field | undefined;
  readonly splitLimit: number;
  readonly buckets: Buckets | undefined;
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
  problems.throwIfAny();
  // A statement compares with each value twice: for visitors and for events.
  requireFewFilterValues(2 * (countStepValues(query.goals) + countValues(query.filters)), call);
  const websiteIds = await requireWebsite(websiteId, call);
  const breakdown: Breakdown = {
    split,
    splitLimit: query.splitLimit ?? defaultSplitLimit,
    buckets: unit === undefined ? undefined : bucketsOf(scope.range, unit, scope.zone),
  };
  const results = await answerGoals(goals, { ...scope, websiteIds }, breakdown, readerOf(call, websiteIds));
  return { success: true, requestId: call.requestId, goals: results };
}

/** Answers all goals together: the events are read once per breakdown, whatever the number of goals. */
async function answerGoals(
  goals: readonly Step[],
  scope: EventScope,
  { split, splitLimit, buckets }: Breakdown,
  reader: CallReader,
): Promise<GoalResultInit[]> {
  const ask = async (key: string | undefined, take: (counts: GoalCounts) => void): Promise<void> => {
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
    await ask(labelled(split), (counts) => {
      for (const top of splits) top.add(counts);
    });
  const byBucket = new Map<number, GoalCounts>();
  if (buckets !== undefined) await ask(bucketSql(buckets, "ts"), (counts) => byBucket.set(Number(counts.key), counts));
  return goals.map(({ name }, goal) => ({
    name,
    total: figuresOf(total, goal),
    splits: splits[goal]?.items.map((counts) => ({ value: counts.key, figures: figuresOf(counts, goal) })) ?? [],
    series: (buckets?.labels ?? []).map((date, index) => ({ date, figures: figuresOf(byBucket.get(index), goal) })),
  }));
}

/**
 * Which goals events reached, a bit each: mask, visitors, events and, when `key` is given, its value, by which the rows
 * are sorted. A visitor counts in the row of all goals that the visitor's events reached, an event in the row of its
 * own goals.
 */
function goalsStatement(goals: readonly Step[], scope: EventScope, key: string | undefined) {
  const bindings = new Bindings();
  const [value, ofValue, keyed] = key === undefined ? ["", "", ""] : [`, ${key} AS k0`, ", k0", "k0, "];
  const masked = () => {
    const bits = goals.map((goal, index) => `CASE WHEN ${stepSql(goal, bindings)} THEN ${2 ** index} ELSE 0 END`);
    const filters = filterSql(scope.filters, "events", bindings);
    const from = allOf([rowsOf("events", scope, bindings), filters]);
    return `SELECT visitor_key, (${bits.join(" + ")}) AS mask${value} FROM ${from}`;
  };
  const ofVisitors =
    `SELECT ${keyed}visitor_key, bit_or(mask) AS mask FROM (${masked()} AND visitor_key != null) ` +
    `GROUP BY ${keyed}visitor_key`;
  const sql =
    `SELECT mask, count() AS visitors, 0::long AS events${ofValue} FROM (${ofVisitors}) GROUP BY ${keyed}mask UNION ALL ` +
    `SELECT mask, 0::long AS visitors, count() AS events${ofValue} FROM (${masked()}) GROUP BY ${keyed}mask`;
  return { sql: key === undefined ? sql : `SELECT * FROM (${sql}) ORDER BY k0`, values: bindings.values };
}

/** Values with most conversions first. */
function byConversions(goal: number): (a: GoalCounts, b: GoalCounts) => number {
  return (a, b) =>
    (b.converted[goal] ?? 0) - (a.converted[goal] ?? 0) ||
    (b.completions[goal] ?? 0) - (a.completions[goal] ?? 0) ||
    b.visitors - a.visitors ||
    (a.key < b.key ? -1 : 1);
}

function figuresOf(counts: GoalCounts | undefined, goal: number): GoalFiguresInit {
  const visitors = counts?.visitors ?? 0;
  const converted = counts?.converted[goal] ?? 0;
  return {
    visitors,
    converted,
    conversionRate: percent(converted, visitors),
    completions: counts?.completions[goal] ?? 0,
  };
}
