import type { JsonObject } from "@bufbuild/protobuf";
import { eachInSlices, mapInSlices } from "../../concurrency/timeSlices.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { type Buckets, bucketsOf } from "../sql/buckets.ts";
import { isBucketWithin } from "../sql/bucketTimes.ts";
import { measureOf } from "../sql/measures.ts";
import { type Facts, factsOf, shapeRow, withoutFigures } from "./measuredAnswer.ts";
import { type Statement, statementsOf } from "./measuredStatement.ts";

/** Values may be chosen by clients; limit them, since each appears in every bucket. */
const maxSplitValues = 100;

/**
 * The answer of a series that is split by a dimension: a row for each bucket and each value that occurs in the range,
 * by time and then by value. A value that does not occur in a bucket has a row of zeros there, or of nulls where events are unknown.
 */
export function prepareSplitSeries(plan: ParameterPlan): PreparedAnswer {
  const buckets = bucketsOf(plan.range, plan.bucketUnit, plan.zone);
  const [statement, ...others] = statementsOf(plan, buckets);
  if (statement === undefined || others.length > 0)
    throw new Error(`query type ${plan.type.name} must take its measures over one relation`);
  return {
    statements: [{ sql: mostFrequent(statement), values: statement.values }],
    rows: ([rows = []]) => pageOf(plan, buckets, statement, rows),
  };
}

/** The statement, restricted to the most frequent values. */
function mostFrequent({ sql, measures }: Statement): string {
  const size = measures.findIndex((name) => ["count", "cost"].includes(measureOf(name).format));
  if (size < 0) throw new Error("a split series needs a count or a cost to choose its values by");
  return (
    `WITH split AS (${sql}), chosen AS (SELECT k1 AS value, sum(m${size}) AS size FROM split GROUP BY value ` +
    `ORDER BY size DESC, value LIMIT ${maxSplitValues}) SELECT split.* FROM split JOIN chosen ON split.k1 = chosen.value`
  );
}

async function pageOf(
  { type, offset, limit, range, unknown = [] }: ParameterPlan,
  buckets: Buckets,
  statement: Statement,
  rows: readonly Row[],
): Promise<JsonObject[]> {
  const { labels } = buckets;
  const byPlace = new Map<string, Row>();
  const found = new Set<string>();
  await eachInSlices(rows, (row) => {
    byPlace.set(`${row["k0"]} ${row["k1"]}`, row);
    found.add(String(row["k1"] ?? ""));
  });
  const values = [...found].sort();
  const count = Math.max(0, Math.min(labels.length * values.length - offset, limit));
  return mapInSlices(Array.from({ length: count }), (_, index) => {
    const bucket = Math.floor((offset + index) / values.length);
    const value = values[(offset + index) % values.length] ?? "";
    const row = byPlace.get(`${bucket} ${value}`);
    const nothing: Facts = { bucket: "", dimensions: [], measures: new Map(), total: 0 };
    const facts = row === undefined ? nothing : factsOf(row, statement);
    const shown = shapeRow(type.fields, { ...facts, bucket: labels[bucket] ?? "", dimensions: [value] });
    const isUnknown = row === undefined && isBucketWithin(buckets, bucket, range, unknown);
    return isUnknown ? withoutFigures(type.fields, shown) : shown;
  });
}
