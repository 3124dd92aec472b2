import type { JsonObject } from "@bufbuild/protobuf";
import { merged } from "../../time/timeRanges.ts";
import { dayMs } from "../../time/utcDay.ts";
import { pageOf, type Statement } from "../answer/measuredStatement.ts";
import { measuresOf } from "../catalogue/typeParts.ts";
import { type Buckets, bucketsOf } from "../plan/buckets.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { QueryCall } from "../queryCall.ts";
import { shapeRows } from "../shapes/measuredAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import { findField } from "../sql/fields.ts";
import { allOf, fieldFilterSql, isEmpty } from "../sql/filters.ts";
import { groupedBy, labelled } from "../sql/grouped.ts";
import type { MeasureName } from "../sql/measures.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { unknownTimes } from "../unknown/unknownTimes.ts";
import type { FindVisits } from "../visits/findVisits.ts";
import type { VisitSource } from "../visits/visitSource.ts";
import { dailyMeasures } from "./dailyKinds.ts";
import { dayFiguresSql, figureColumns } from "./dayFiguresSql.ts";
import type { DayReader } from "./daysWithRows.ts";
import { type DailyPlan, dailyZone } from "./planDaily.ts";
import { findRawDays } from "./rawDays.ts";

/** A UTC day whose figures are counted from events. */
type RawDay = { readonly startMs: number; readonly visits: VisitSource };

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
  const { range, record, rawRecord } = daily;
  const plan = { ...asked, range, zone: dailyZone, unknown: merged(unknownTimes(record, range)) };
  const [websiteId = ""] = plan.websiteIds;
  const read = { startMs: range.startMs, endMs: daily.untilMs };
  const days = await findRawDays(websiteId, read, rawRecord, reader, app);
  const raw: RawDay[] = [];
  for (const startMs of days) {
    const scope = { ...plan, filters: [], range: { startMs, endMs: startMs + dayMs } };
    raw.push({ startMs, visits: await findVisits(scope, reader, true) });
  }
  const buckets = plan.type.shape.kind === "series" ? bucketsOf(range, plan.bucketUnit, dailyZone) : undefined;
  const statement = statementOf(plan, daily, buckets, raw);
  const rows = await reader.read(statement.sql, statement.values);
  const shaped = await shapeRows(plan, buckets, [{ statement, rows }]);
  if (!Array.isArray(shaped)) throw new Error("daily figures answer no goals");
  return withoutOtherFigures(plan, shaped);
}

function statementOf(
  plan: ParameterPlan,
  { kind, range }: DailyPlan,
  buckets: Buckets | undefined,
  raw: readonly RawDay[],
): Statement {
  const { type, filters } = plan;
  const bindings = new Bindings();
  const columns = figureColumns.join(", ");
  const made = [
    rowsOf("daily_figures", { ...plan, range }, bindings),
    `counted = '${kind.counted}' AND field = '${kind.field}'`,
    ...raw.map(({ startMs }) => `ts != ${bindings.bindTime(startMs)}`),
  ].join(" AND ");
  const parts = raw.map(({ startMs, visits }) => {
    const scope = { ...plan, filters: [], visits, range: { startMs, endMs: startMs + dayMs } };
    const dayUs = Math.min(startMs, range.endMs - dayMs) * 1_000;
    return `SELECT ${dayUs}::timestamp AS ts, value, ${columns} FROM (${dayFiguresSql(scope, [kind], bindings)})`;
  });
  const all = [`SELECT ts, value, ${columns} FROM ${made}`, ...parts].join(" UNION ALL ");
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
