import type { GoalFiguresInit, GoalResultInit, GoalRevenueInit } from "../../gen/lookout/services.ts";
import { percent } from "../../text/percent.ts";
import type { TimeRange } from "../../time/dates.ts";
import { isCovered } from "../../time/timeRanges.ts";
import type { CallReader } from "../answer/callReader.ts";
import { byConversions, GoalCounter, type GoalCounts, isCounted } from "../goals/goalCounter.ts";
import { type GoalKey, type GoalWorth, goalsStatement } from "../goals/goalsStatement.ts";
import type { Step } from "../goals/steps.ts";
import { type Revenue, worthOf } from "../shapes/goalWorth.ts";
import { Top } from "../shapes/top.ts";
import type { Buckets } from "../sql/buckets.ts";
import { isBucketWithin } from "../sql/bucketTimes.ts";
import type { Field } from "../sql/fields.ts";
import type { VisitScope } from "../visits/visitsSql.ts";

/** How the figures of goals are broken down, besides their totals. */
export type Breakdown = {
  readonly split: Field | undefined;
  readonly splitLimit: number;
  /** For each goal the values of the split, in this order, instead of those with the most conversions. */
  readonly values?: readonly (readonly string[])[] | undefined;
  readonly buckets: Buckets | undefined;
  /** Times whose events are unknown, sorted and disjoint: a bucket or range within them in which nothing was counted has no figures. */
  readonly unknown?: readonly TimeRange[];
  /** What they are worth, if that is wanted. */
  readonly worth: GoalWorth | undefined;
};

/** Answers all goals together: the events are read once per breakdown, whatever the number of goals. */
export async function answerGoals(
  goals: readonly Step[],
  scope: VisitScope,
  { split, splitLimit, values, buckets, unknown = [], worth }: Breakdown,
  reader: CallReader,
): Promise<GoalResultInit[]> {
  const ask = async (key: GoalKey | undefined, take: (counts: GoalCounts) => void): Promise<void> => {
    const counter = new GoalCounter(goals.length, take);
    const statement = goalsStatement(goals, scope, key);
    await reader.readEach(statement.sql, statement.values, (row) => counter.add(row));
    counter.finish();
  };
  let total: GoalCounts | undefined;
  await ask(undefined, (counts) => {
    total = counts;
  });
  const tops = goals.map((_, goal) => new Top<GoalCounts>(splitLimit, byConversions(goal)));
  const wanted = new Set(values?.flat());
  const found = new Map<string, GoalCounts>();
  if (split !== undefined)
    await ask({ field: split }, (counts) => {
      if (wanted.has(counts.key)) found.set(counts.key, counts);
      if (values !== undefined) return;
      for (const [goal, top] of tops.entries()) if (isCounted(counts, goal)) top.add(counts);
    });
  for (const counts of tops.flatMap(({ items }) => items)) found.set(counts.key, counts);
  const byBucket = new Map<number, GoalCounts>();
  if (buckets !== undefined) await ask({ buckets }, (counts) => byBucket.set(Number(counts.key), counts));
  const worthBy = async (key: GoalKey | undefined, isShown: (key: string) => boolean): Promise<Revenue | undefined> => {
    if (worth === undefined) return undefined;
    const { statement, revenue } = worthOf(goals, scope, key, { worth, isShown });
    await reader.readEach(statement.sql, statement.values, statement.each);
    return revenue;
  };
  const ofTotal = await worthBy(undefined, () => true);
  const ofSplit = split === undefined ? undefined : await worthBy({ field: split }, (key) => found.has(key));
  const ofBucket = buckets === undefined ? undefined : await worthBy({ buckets }, () => true);
  const isUnknown = isCovered(scope.range, unknown);
  const isUnknownIn = (bucket: number) =>
    buckets !== undefined && isBucketWithin(buckets, bucket, scope.range, unknown);
  return goals.map(({ name }, goal) => ({
    name,
    total: figuresOf(isUnknown, total, goal, ofTotal?.("", goal)),
    splits: (values?.[goal] ?? tops[goal]?.items.map(({ key }) => key) ?? []).map((value) => ({
      value,
      figures: figuresOf(isUnknown, found.get(value), goal, ofSplit?.(value, goal)),
    })),
    series: (buckets?.labels ?? []).map((date, index) => ({
      date,
      figures: figuresOf(isUnknownIn(index), byBucket.get(index), goal, ofBucket?.(String(index), goal)),
    })),
  }));
}

/** The figures of a time; undefined where nothing is counted and the time is unknown. */
function figuresOf(
  isUnknown: boolean,
  counts: GoalCounts | undefined,
  goal: number,
  revenue: GoalRevenueInit[] = [],
): GoalFiguresInit | undefined {
  if (isUnknown && (counts === undefined || !isCounted(counts, goal))) return undefined;
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
