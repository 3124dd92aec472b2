import type { JsonObject } from "@bufbuild/protobuf";
import { merged } from "../../time/timeRanges.ts";
import { measuresOf } from "../catalogue/typeParts.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { QueryCall } from "../queryCall.ts";
import { shapeRows } from "../shapes/measuredAnswer.ts";
import { pageOf, type Statement } from "../shapes/measuredStatement.ts";
import { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import { type Buckets, bucketsOf } from "../sql/buckets.ts";
import { findField } from "../sql/fields.ts";
import { allOf, fieldFilterSql, isEmpty } from "../sql/filters.ts";
import { groupedBy, labelled } from "../sql/grouped.ts";
import type { MeasureName } from "../sql/measures.ts";
import { withFuture } from "../unknown/futureTimes.ts";
import { unknownTimes } from "../unknown/unknownTimes.ts";
import type { FindVisits } from "../visits/findVisits.ts";
import { dailyMeasures } from "./dailyKinds.ts";
import { dailyRowsSql, findRawVisits, type RawDay } from "./dailyRows.ts";
import type { DayReader } from "./daysWithRows.ts";
import { type DailyPlan, dailyZone } from "./planDaily.ts";
import { runDailyGoals } from "./runDailyGoals.ts";

/**
 * Answers a parameter from daily figures: sums over whole UTC days, in which a visitor of several days counts on each. Figures that sums do
 * not give, such as medians, are null. Days without figures, such as today, are counted from events. Rejects with the driver's error.
 */
export async function runDaily(
  asked: ParameterPlan,
  daily: DailyPlan,
  reader: DayReader,
  findVisits: FindVisits,
  app: Pick<QueryCall["app"], "postgres" | "config" | "log">,
): Promise<JsonObject[]> {
  const { range, record } = daily;
  const plan = {
    ...asked,
    range,
    zone: dailyZone,
    unknown: merged(withFuture(unknownTimes(record, range), range, record.readMs)),
  };
  const raw = await findRawVisits(plan, daily, reader, findVisits, app);
  if (plan.type.shape.kind === "goal_conversions") return runDailyGoals(plan, daily, raw, reader);
  const buckets = plan.type.shape.kind === "series" ? bucketsOf(range, plan.bucketUnit, dailyZone) : undefined;
  const statement = statementOf(plan, daily, buckets, raw);
  const rows = await reader.read(statement.sql, statement.values);
  const shaped = await shapeRows(plan, buckets, [{ statement, rows }]);
  if (!Array.isArray(shaped)) throw new Error("daily figures answer no breakdown with a goal");
  return withoutOtherFigures(plan, shaped);
}

function statementOf(
  plan: ParameterPlan,
  daily: DailyPlan,
  buckets: Buckets | undefined,
  raw: readonly RawDay[],
): Statement {
  const { type, filters } = plan;
  const [kind] = daily.kinds;
  if (kind === undefined) throw new Error("a plan has daily figures that answer it");
  const bindings = new Bindings();
  const all = dailyRowsSql(plan, daily, raw, bindings);
  const found = kind.field === "total" ? undefined : findField("events", kind.field);
  const field = {
    column: "value",
    whenEmpty: found?.whenEmpty ?? "",
    ...(found?.ignoresCase === true ? { ignoresCase: true } : {}),
  };
  const needsValue = type.shape.kind === "table" && type.shape.withoutValue === "none";
  const conditions = allOf([
    needsValue ? `NOT ${isEmpty("value")}` : undefined,
    ...filters.map((filter) => fieldFilterSql(filter, field, bindings)),
  ]);
  const names = measuresOf(type);
  const keySqls = [
    ...(buckets === undefined ? [] : [bucketSql(buckets, "ts")]),
    ...(type.shape.kind === "table" ? [`(${labelled(field)})::string::varchar`] : []),
  ];
  const { sql, keys } = groupedBy(
    keySqls,
    names.map((name, index) => `${dailyMeasures[name] ?? "null::double"} AS m${index}`),
    `(${all})${conditions === "" ? "" : ` WHERE ${conditions}`}`,
  );
  return {
    sql:
      type.shape.kind === "table"
        ? pageOf(`SELECT * FROM (${sql}) WHERE ${hasFigures(names)}`, plan, names, keys, bindings)
        : sql,
    values: bindings.values,
    measures: names,
  };
}

/** Leaves out values that only placeholders have. */
function hasFigures(names: readonly MeasureName[]): string {
  return names.flatMap((name, index) => (name in dailyMeasures ? [`m${index} > 0`] : [])).join(" OR ");
}

/** Null for figures that are no sums over days. */
function withoutOtherFigures({ type: { fields } }: ParameterPlan, rows: readonly JsonObject[]): JsonObject[] {
  const others = fields.flatMap(({ name, from }) =>
    "measure" in from && !(from.measure in dailyMeasures) ? [name] : [],
  );
  return rows.map((row) => ({ ...row, ...Object.fromEntries(others.map((name) => [name, null])) }));
}
