import type { JsonObject } from "@bufbuild/protobuf";
import type { Goal } from "../goals/goal.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { goalRow } from "../shapes/goalConversions.ts";
import { Bindings } from "../sql/bindings.ts";
import { findField } from "../sql/fields.ts";
import { fieldFilterSql } from "../sql/filters.ts";
import { type DailyKind, dailyKindOfGoal } from "./dailyKinds.ts";
import { dailyRowsSql, type RawDay } from "./dailyRows.ts";
import type { DayReader } from "./daysWithRows.ts";
import type { DailyPlan } from "./planDaily.ts";

/**
 * Answers goals from daily figures: a row for each, with sums over days, in which a visitor of several days counts on each. Visitors who
 * reached a goal are those of its events, even where their visit has another one. Null is what they do not tell: visitors of goals that
 * several pages reach, amounts, and all of goals with filters of their own. Rejects with the driver's error.
 */
export async function runDailyGoals(
  plan: ParameterPlan,
  daily: DailyPlan,
  raw: readonly RawDay[],
  reader: DayReader,
): Promise<JsonObject[]> {
  const { goals = [], offset, limit } = plan;
  const bindings = new Bindings();
  const rows = dailyRowsSql(plan, daily, raw, bindings);
  const sums = goals.flatMap((goal, index) => {
    const kind = dailyKindOfGoal(goal);
    if (kind === undefined) return [];
    const isReached = `counted = '${kind.counted}' AND ${valueFilter(goal, kind, bindings)}`;
    return [
      `sum(CASE WHEN ${isReached} THEN visitors ELSE 0 END) AS converted${index}`,
      `sum(CASE WHEN ${isReached} THEN page_views + custom_events ELSE 0 END) AS completions${index}`,
    ];
  });
  const visitors = "sum(CASE WHEN counted = 'all' THEN visitors ELSE 0 END) AS visitors";
  const [found] = await reader.read(`SELECT ${[visitors, ...sums].join(", ")} FROM (${rows})`, bindings.values);
  const figure = (name: string) => Number(found?.[name] ?? 0);
  const counts = {
    key: "",
    visitors: figure("visitors"),
    converted: goals.map((_, index) => figure(`converted${index}`)),
    completions: goals.map((_, index) => figure(`completions${index}`)),
  };
  return goals
    .map((goal, index) => ({ ...goalRow(plan, { goal: index, counts }), ...notKept(goal) }))
    .slice(offset, offset + limit);
}

function valueFilter({ filters: [own] }: Goal, { field }: DailyKind, bindings: Bindings): string {
  const found = field === "total" ? undefined : findField("events", field);
  if (own === undefined || found === undefined) throw new Error("a goal has a filter on the field of its figures");
  return fieldFilterSql(own, { column: "value", whenEmpty: found.whenEmpty }, bindings);
}

/** The figures of a goal that sums over days do not give. */
function notKept(goal: Goal): JsonObject {
  const noVisitors = { conversions: null, conversion_rate: null };
  if (dailyKindOfGoal(goal) === undefined) return { ...noVisitors, completions: null, revenue: null };
  return {
    // A visitor of several of these pages counts for each.
    ...(goal.filters[0]?.comparison === "equals" ? {} : noVisitors),
    ...(goal.worth === undefined ? {} : { revenue: null }),
  };
}
