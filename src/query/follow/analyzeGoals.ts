import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../../gateway/callContext.ts";
import type {
  AnalyzeGoalsRequest,
  AnalyzeGoalsResponseSchema,
  GoalFiguresSchema,
  GoalResultSchema,
} from "../../gen/lookout/v1/funnels_pb.ts";
import type { Row } from "../../store/questdbReader.ts";
import { Bindings } from "../bindings.ts";
import { bucketSql } from "../bucketSql.ts";
import { type Buckets, bucketsOf } from "../buckets.ts";
import { type CallReader, readerOf } from "../callReader.ts";
import type { Field } from "../fields.ts";
import { filterSql } from "../filters.ts";
import { checkHourly, granularities, readBucketUnit } from "../granularity.ts";
import { labelled } from "../grouped.ts";
import { countWhere } from "../measures.ts";
import { Problems } from "../problems.ts";
import { rowsOf } from "../rowScope.ts";
import { runConcurrently } from "../runConcurrently.ts";
import { type EventScope, readScope, readSplit, requireWebsite } from "./eventScope.ts";
import { percent } from "./percent.ts";
import { readSteps, type Step, stepSql } from "./steps.ts";

/** Half of a website's share of reading connections. */
const goalsAtOnce = 2;
const defaultSplitLimit = 10;

/** What each goal is answered by, besides its total. */
type Breakdown = {
  readonly split: Field | undefined;
  readonly splitLimit: number;
  readonly buckets: Buckets | undefined;
};

/**
 * POST /v1/query/goals: how often each goal is reached, by how many of all visitors.
 *
 * Throws VALIDATION_ERROR or INVALID_DATE_PRESET, MISSING_PROJECT_ID, ACCESS_DENIED, and QUERY_ERROR for what takes too long.
 */
export async function analyzeGoals(
  { query, websiteId, timezone }: AnalyzeGoalsRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof AnalyzeGoalsResponseSchema>> {
  if (query === undefined) throw new Error("the contract lets no request without a query pass");
  const problems = new Problems();
  const scope = readScope(query, timezone, Date.now(), problems);
  const goals = readSteps(query.goals, "goals", problems);
  const split = readSplit(query.splitBy, problems);
  const unit = readBucketUnit(query.granularity, granularities, "granularity", problems);
  if (unit !== undefined) checkHourly(unit, scope.range, scope.zone, "granularity", problems);
  problems.throwIfAny();
  const websiteIds = await requireWebsite(websiteId, call);
  const breakdown: Breakdown = {
    split,
    splitLimit: query.splitLimit ?? defaultSplitLimit,
    buckets: unit === undefined ? undefined : bucketsOf(scope.range, unit, scope.zone),
  };
  const reader = readerOf(call, websiteIds);
  const results = await runConcurrently(goals, goalsAtOnce, (goal) =>
    answerGoal(goal, { ...scope, websiteIds }, breakdown, reader),
  );
  return { success: true, requestId: call.requestId, goals: results };
}

async function answerGoal(
  goal: Step,
  scope: EventScope,
  { split, splitLimit, buckets }: Breakdown,
  reader: CallReader,
): Promise<MessageInitShape<typeof GoalResultSchema>> {
  const ask = ({ sql, values }: ReturnType<typeof goalStatement>) => reader.read(sql, values);
  const [total] = await ask(goalStatement(goal, scope, undefined));
  const splits = split === undefined ? [] : await ask(splitStatement(goal, scope, split, splitLimit));
  const series = buckets === undefined ? [] : await ask(goalStatement(goal, scope, bucketSql(buckets, "ts")));
  const byBucket = new Map(series.map((row) => [Number(row["k0"]), row]));
  return {
    name: goal.name,
    total: figuresOf(total),
    splits: splits.map((row) => ({ value: String(row["k0"] ?? ""), figures: figuresOf(row) })),
    series: (buckets?.labels ?? []).map((date, index) => ({ date, figures: figuresOf(byBucket.get(index)) })),
  };
}

/** visitors, converted and completions, by `key` when it is given. */
function goalStatement(goal: Step, scope: EventScope, key: string | undefined) {
  const bindings = new Bindings();
  const isGoal = stepSql(goal, bindings);
  const filters = filterSql(scope.filters, "events", bindings);
  const from = [rowsOf("events", scope, bindings), ...(filters === undefined ? [] : [filters])].join(" AND ");
  const columns =
    "count_distinct(visitor_key) AS visitors, " +
    "count_distinct(CASE WHEN reached = 1 THEN visitor_key ELSE null END) AS converted, " +
    `${countWhere("reached = 1")} AS completions`;
  const events = `SELECT visitor_key${key === undefined ? "" : `, ${key} AS k0`}, CASE WHEN ${isGoal} THEN 1 ELSE 0 END AS reached FROM ${from}`;
  const sql = `SELECT ${key === undefined ? "" : "k0, "}${columns} FROM (${events})`;
  return { sql: key === undefined ? sql : `${sql} GROUP BY k0`, values: bindings.values, bindings };
}

function splitStatement(goal: Step, scope: EventScope, split: Field, limit: number) {
  const { sql, values, bindings } = goalStatement(goal, scope, labelled(split));
  const page = `SELECT * FROM (${sql}) ORDER BY converted DESC, completions DESC, visitors DESC, k0 LIMIT ${bindings.bind(limit)}`;
  return { sql: page, values, bindings };
}

function figuresOf(row: Row | undefined): MessageInitShape<typeof GoalFiguresSchema> {
  const visitors = Number(row?.["visitors"] ?? 0);
  const converted = Number(row?.["converted"] ?? 0);
  const completions = Number(row?.["completions"] ?? 0);
  return { visitors, converted, conversionRate: percent(converted, visitors), completions };
}
