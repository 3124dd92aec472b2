import type { Buckets } from "../plan/buckets.ts";
import type { Field } from "./fields.ts";
import { isEmpty } from "./filters.ts";
import { type MeasureName, measureOf } from "./measures.ts";

/** A statement with a row for each combination of its keys `k0`, `k1` …. */
export type Grouped = { readonly sql: string; readonly keys: readonly string[] };

/** Groups `from`, the text after FROM, by its keys. */
export function groupedBy(keySqls: readonly string[], columns: readonly string[], from: string): Grouped {
  const keys = keySqls.map((_, index) => `k${index}`);
  const all = [...keySqls.map((key, index) => `${key} AS k${index}`), ...columns];
  const groups = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
  return { sql: `SELECT ${all.join(", ")} FROM ${from}${groups}`, keys };
}

/** The columns of measures; in series some are computed in another way. */
export function measureColumns(names: readonly MeasureName[], buckets: Buckets | undefined): string[] {
  return names.map((name, index) => {
    const { sql, inSeries = sql } = measureOf(name);
    return `${buckets === undefined ? sql : inSeries} AS m${index}`;
  });
}

/** The label of a row's group: the column's value, or the label for none. */
export function labelled({ column, whenEmpty }: Pick<Field, "column" | "whenEmpty">): string {
  return `CASE WHEN ${isEmpty(column)} THEN '${whenEmpty}' ELSE ${column} END`;
}
