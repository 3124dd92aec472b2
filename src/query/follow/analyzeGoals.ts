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
import { labelled } from "../sql/grouped.ts";
import { textsOf } from "../visits/visitColumns.ts";
import { eventsOfVisits, loneEvents, selectedVisits } from "../visits/visitEvents.ts";
import type { VisitScope } from "../visits/visitsSql.ts";
import { readScope, readSplit, requireWebsite, visitsOf } from "./eventScope.ts";
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
  // A statement compares with each value of a filter three times: for all visitors, for those who converted and for events.
  requireFewFilterValues(3 * (countStepValues(query.goals) + countValues(query.filters)), call);
  const websiteIds = await requireWebsite(websiteId, call);
  const breakdown: Breakdown = {
    split,
    splitLimit: query.splitLimit ?? defaultSplitLimit,
    buckets: unit === undefined ? undefined : bucketsOf(scope.range, unit, scope.zone),
  };
  const reader = readerOf(call, websiteIds).over(scope.range);
  const results = await answerGoals(goals, await visitsOf(scope, websiteIds, reader, call), breakdown, reader);
  return { success: true, requestId: call.requestId, goals: results };
}

/** Answers all goals together: the events are read once per breakdown, whatever the number of goals. */
async function answerGoals(
  goals: readonly Step[],
  scope: VisitScope,
  { split, splitLimit, buckets }: Breakdown,
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
  return goals.map(({ name }, goal) => ({
    name,
    total: figuresOf(total, goal),
    splits: splits[goal]?.items.map((counts) => ({ value: counts.key, figures: figuresOf(counts, goal) })) ?? [],
    series: (buckets?.labels ?? []).map((date, index) => ({ date, figures: figuresOf(byBucket.get(index), goal) })),
  }));
}

/** What the figures of goals are broken down by. */
type GoalKey = { readonly field: Field } | { readonly buckets: Buckets };

/**
 * Which goals the events of the selected visits reached, a bit each: mask, visitors, events and, when `key` is given, its value, by which the
 * rows are sorted. A visitor counts in the row of all goals that the visitor's events reached, an event in the row of its own goals. The row
 * with the mask 0 has all visitors.
 */
function goalsStatement(goals: readonly Step[], scope: VisitScope, key: GoalKey | undefined) {
  const bindings = new Bindings();
  const field = key !== undefined && "field" in key ? key.field : undefined;
  const texts = field?.isOfVisit === true ? textsOf([field]) : [];
  const isOfEvents = field !== undefined && field.isOfVisit !== true;
  const keyOf = (time: string, prefix: string) => {
    if (key === undefined) return "";
    if ("buckets" in key) return `, ${bucketSql(key.buckets, time)} AS k0`;
    const { column, whenEmpty, isOfVisit } = key.field;
    return isOfVisit === true
      ? `, coalesce(${prefix}${column}, '${whenEmpty}')::varchar AS k0`
      : ", value::varchar AS k0";
  };
  const [ofValue, keyed] = key === undefined ? ["", ""] : [", k0", "k0, "];
  // Texts with bound values are made once: a statement takes 32,767 of them, and the same text may stand in it several times.
  const asked = {
    values: {
      mask: `(${goals.map((goal, index) => `CASE WHEN ${stepSql(goal, bindings)} THEN ${2 ** index} ELSE 0 END`).join(" + ")})`,
      ...(isOfEvents ? { value: labelled(field) } : {}),
    },
    texts,
  };
  const visits = selectedVisits(scope, texts, bindings);
  // Events are selected by their goals; the filters have selected the visits.
  const events = eventsOfVisits({ ...scope, filters: [] }, "events", asked, [], bindings, visits);
  const shown = `SELECT mask, visit_visitor_key${keyOf("began", "visit_")}`;
  const reached = `${shown} FROM (${events}) WHERE mask > 0`;
  const lone = `${shown} FROM (${loneEvents(scope, "events", asked, [], bindings)}) WHERE mask > 0`;
  const converted =
    `SELECT ${keyed}visit_visitor_key, bit_or(mask) AS mask FROM (${reached}) WHERE visit_visitor_key != null ` +
    `GROUP BY ${keyed}visit_visitor_key`;
  const everybody = isOfEvents
    ? `SELECT visit_visitor_key${keyOf("began", "visit_")} FROM (${events})`
    : `SELECT visitor_key AS visit_visitor_key${keyOf("started", "")} FROM (${visits})`;
  const groups = key === undefined ? "" : " GROUP BY k0";
  const sql = [
    `SELECT 0::int AS mask, count_distinct(visit_visitor_key) AS visitors, 0::long AS events${ofValue} FROM (${everybody})${groups}`,
    `SELECT mask::int AS mask, count() AS visitors, 0::long AS events${ofValue} FROM (${converted}) GROUP BY ${keyed}mask`,
    `SELECT mask::int AS mask, 0::long AS visitors, count() AS events${ofValue} FROM (${reached} UNION ALL ${lone}) GROUP BY ${keyed}mask`,
  ].join(" UNION ALL ");
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
