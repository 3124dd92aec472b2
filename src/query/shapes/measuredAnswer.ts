import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { eachInSlices, mapInSlices } from "../../concurrency/timeSlices.ts";
import type { Row, TextRow } from "../../store/questdb/questdbReader.ts";
import { percent } from "../../text/percent.ts";
import { rounded } from "../../text/rounded.ts";
import { isCovered } from "../../time/timeRanges.ts";
import { fieldsWithGoal, visitorMeasures } from "../catalogue/goalTypes.ts";
import type { GoalFigure, OutputField } from "../catalogue/queryType.ts";
import { conversionsStatement } from "../goals/conversionsStatement.ts";
import type { Goal } from "../goals/goal.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { type Buckets, bucketsOf } from "../sql/buckets.ts";
import { isBucketWithin } from "../sql/bucketTimes.ts";
import { columnValue } from "../sql/columnValue.ts";
import { unknown } from "../sql/fields.ts";
import { type MeasureName, measureOf } from "../sql/measures.ts";
import { type Statement, statementsOf } from "./measuredStatement.ts";

/** The values of an answer's row, whatever statement they came from. */
export type Facts = {
  bucket: string;
  dimensions: readonly string[];
  measures: ReadonlyMap<MeasureName, Row[string]>;
  total: number;
  /** What was counted of a goal. */
  goal?: GoalFacts;
};

type GoalFacts = {
  readonly visitors: number;
  readonly conversions: number;
  readonly completions: number;
  readonly revenue: JsonObject[];
};

const noGoal: GoalFacts = { visitors: 0, conversions: 0, completions: 0, revenue: [] };

/** The answer of a type whose rows are measures, by bucket, by dimension or in total. */
export function prepareMeasured(plan: ParameterPlan): PreparedAnswer {
  const buckets = plan.type.shape.kind === "series" ? bucketsOf(plan.range, plan.bucketUnit, plan.zone) : undefined;
  const statements = statementsOf(plan, buckets);
  return {
    statements,
    rows: (results) => {
      const pairs = statements.map((statement, index) => ({ statement, rows: results[index] ?? [] }));
      return shapeRows(plan, buckets, pairs);
    },
  };
}

/** The rows of one statement. */
type Result = { readonly statement: Statement; readonly rows: readonly Row[] };

/** The rows of a type that is made of measures, from those of its statements. `buckets` are those of a series. */
export async function shapeRows(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  results: readonly Result[],
): Promise<JsonObject[] | PreparedAnswer> {
  const { fields } = plan.type;
  if (plan.type.shape.kind === "table") {
    const tables = results.map(({ statement, rows }) => mapInSlices(rows, (row) => factsOf(row, statement)));
    const facts = (await Promise.all(tables)).flat();
    const [goal] = fieldsWithGoal(plan.type).length === 0 ? [] : (plan.goals ?? []);
    return goal === undefined ? mapInSlices(facts, (row) => shapeRow(fields, row)) : withConversions(plan, goal, facts);
  }
  const byBucket = await mergedByBucket(results);
  const labels = buckets?.labels ?? [""];
  return mapInSlices(labels.slice(plan.offset, plan.offset + plan.limit), (bucket, index) => {
    const measures = byBucket.get(plan.offset + index);
    const { range, unknown: unknownTimes = [] } = plan;
    const isWithin = () =>
      buckets === undefined
        ? isCovered(range, unknownTimes)
        : isBucketWithin(buckets, plan.offset + index, range, unknownTimes);
    const row = shapeRow(fields, { bucket, dimensions: [], measures: measures ?? new Map(), total: 0 });
    return isNothing(measures) && isWithin() ? withoutFigures(fields, row) : row;
  });
}

/** The rows of a breakdown, each with its visitors who reached a goal. Only the shown rows are held in memory. */
function withConversions(plan: ParameterPlan, goal: Goal, facts: readonly Facts[]): PreparedAnswer {
  const shown = new Map(facts.map(({ dimensions }) => [JSON.stringify(dimensions), 0]));
  const statement = conversionsStatement(goal, plan);
  const each = (row: TextRow) => {
    const key = JSON.stringify(row.slice(0, -1).map((value) => value ?? ""));
    if (shown.has(key)) shown.set(key, Number(row.at(-1)));
  };
  return {
    statements: [{ ...statement, each }],
    rows: () =>
      mapInSlices(facts, (row) => {
        const visitors = Number(row.measures.entries().find(([name]) => visitorMeasures.has(name))?.[1] ?? 0);
        const conversions = shown.get(JSON.stringify(row.dimensions)) ?? 0;
        return shapeRow(plan.type.fields, { ...row, goal: { ...noGoal, visitors, conversions } });
      }),
  };
}

/**
 * The measures of all statements by bucket; the only row of a summary is bucket 0. A bucket without rows is missing.
 */
async function mergedByBucket(results: readonly Result[]): Promise<Map<number, Map<MeasureName, Row[string]>>> {
  const byBucket = new Map<number, Map<MeasureName, Row[string]>>();
  for (const { statement, rows } of results)
    await eachInSlices(rows, (row) => {
      const bucket = Number(row["k0"] ?? 0);
      const merged = byBucket.get(bucket) ?? new Map<MeasureName, Row[string]>();
      byBucket.set(bucket, merged);
      for (const [name, value] of factsOf(row, statement).measures) merged.set(name, value);
    });
  return byBucket;
}

/** Whether nothing was counted. The only row of a summary is there also without events. */
function isNothing(measures: ReadonlyMap<MeasureName, Row[string]> | undefined): boolean {
  return measures === undefined || measures.values().every((value) => value === null || Number(value) === 0);
}

/** A row with its bucket and the values that it is grouped by, as far as it has them, and null for each figure. */
export function withoutFigures(fields: readonly OutputField[], row: JsonObject): JsonObject {
  return Object.fromEntries(fields.map((field) => [field.name, isKey(field) ? (row[field.name] ?? null) : null]));
}

/** Whether a field says what a row is about, and is no figure. */
export function isKey({ from }: OutputField): boolean {
  return "bucket" in from || "dimension" in from || "dimensions" in from;
}

/** The values in a row of a statement's result. */
export function factsOf(row: Row, { measures }: Statement): Facts {
  return {
    bucket: "",
    dimensions: Object.entries(row).flatMap(([column, value]) => (column.startsWith("k") ? [String(value ?? "")] : [])),
    measures: new Map(measures.map((name, index) => [name, row[`m${index}`] ?? null])),
    total: Number(row["total"] ?? 0),
  };
}

/** A row of an answer, with the fields of its type. */
export function shapeRow(fields: readonly OutputField[], facts: Facts): JsonObject {
  return Object.fromEntries(fields.map(({ name, from }) => [name, fieldValue(from, facts)]));
}

function fieldValue(from: OutputField["from"], facts: Facts): JsonValue {
  if ("bucket" in from) return facts.bucket;
  if ("dimension" in from) return facts.dimensions[from.dimension] ?? "";
  if ("dimensions" in from)
    return from.dimensions
      .map((dimension) => facts.dimensions[dimension] ?? "")
      .filter((text, index) => index === 0 || text !== unknown)
      .join(" ");
  if ("notKept" in from) return null;
  if ("goal" in from) return goalValue(from.goal, facts.goal ?? noGoal);
  if ("measure" in from) return columnValue(facts.measures.get(from.measure) ?? null, measureOf(from.measure).format);
  if ("ratio" in from) return percentOf(facts.measures.get(from.ratio[0]), facts.measures.get(from.ratio[1]));
  if ("column" in from) throw new Error("a type made of measures has no columns");
  const part = Number(facts.measures.get(from.share) ?? 0);
  return facts.total === 0 ? 0 : rounded((100 * part) / facts.total);
}

/** The rate is null without visitors, since it is not defined then. */
function goalValue(figure: GoalFigure, goal: GoalFacts): JsonValue {
  return figure === "rate" ? (percent(goal.conversions, goal.visitors) ?? null) : goal[figure];
}

/** The part may include some that the whole lacks, such as visitors whose page view came before the range. */
function percentOf(part: Row[string] | undefined, whole: Row[string] | undefined): number {
  const all = Number(whole ?? 0);
  return all === 0 ? 0 : Math.min(rounded((100 * Number(part ?? 0)) / all), 100);
}
