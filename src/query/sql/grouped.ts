import { columnsOfTable } from "../../store/questdb/tables.ts";
import { bucketSql } from "./bucketSql.ts";
import type { Buckets } from "./buckets.ts";
import type { FactTable, Field } from "./fields.ts";
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
  return names.map((name, index) => `${measureSql(name, buckets)} AS m${index}`);
}

export function measureSql(name: MeasureName, buckets: Buckets | undefined): string {
  const { sql, inSeries = sql } = measureOf(name);
  return buckets === undefined ? sql : inSeries;
}

/** The label of a row's group: the column's value, or the label for none. */
export function labelled({ column, whenEmpty }: Pick<Field, "column" | "whenEmpty">): string {
  return `CASE WHEN ${isEmpty(column)} THEN '${whenEmpty}' ELSE ${column} END`;
}

/** Groups rows of a table, whose columns `from` has, by bucket and by the labels of the dimensions. */
export function labelledGroups(
  buckets: Buckets | undefined,
  dimensions: readonly Field[],
  table: FactTable,
  names: readonly MeasureName[],
  from: string,
): Grouped {
  const bucketKeys = buckets === undefined ? [] : [bucketSql(buckets, "ts")];
  const own = groupedBy(
    [...bucketKeys, ...dimensions.map((field) => (isColumn(field, table) ? field.column : labelled(field)))],
    measureColumns(names, buckets),
    from,
  );
  const labels = own.keys.map((key, index) => {
    const field = dimensions[index - bucketKeys.length];
    return field !== undefined && isColumn(field, table) ? `coalesce(${key}, '${field.whenEmpty}')` : key;
  });
  const keys = labels.map((label, index) => `${label} AS k${index}`);
  const selected = [...keys, ...names.map((_, index) => `m${index}`)].join(", ");
  return { sql: `SELECT ${selected} FROM (${own.sql})`, keys: own.keys };
}

/** Whether a field is a plain text column, which holds no empty texts, and not an expression. */
function isColumn({ column }: Field, table: FactTable): boolean {
  return column in columnsOfTable[table];
}
