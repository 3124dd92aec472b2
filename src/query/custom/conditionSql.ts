import type { TableName } from "../../store/questdb/tables.ts";
import type { Bindings } from "../sql/bindings.ts";
import { propertyField } from "../sql/eventProperties.ts";
import { fieldFilterSql } from "../sql/filters.ts";
import { withoutIndex } from "../sql/withoutIndex.ts";
import type { Condition } from "./customPlan.ts";
import type { ColumnKind, CustomColumn } from "./customTable.ts";

/** The SQL of a column's values as they are stored. The key of a property is bound. */
function storedSql({ source }: CustomColumn, bindings: Bindings): string {
  return "propertyKey" in source ? propertyField(source.propertyKey, bindings).column : source.column;
}

/** The SQL of a column's values in a condition. */
export function comparedSql(table: TableName, column: CustomColumn, bindings: Bindings): string {
  return withoutIndex(table, storedSql(column, bindings));
}

/** The SQL of a column's values as answers show and group them: empty text is no text. */
export function columnSql(column: CustomColumn, bindings: Bindings): string {
  const sql = storedSql(column, bindings);
  const mayBeEmpty =
    column.kind === "property" || ("column" in column.source && column.kind === "text" && !column.source.isSymbol);
  return mayBeEmpty ? `nullif(${sql}, '')` : sql;
}

/**
 * The SQL of a condition on a column or on a column of the result. As with filters of other queries letter case counts, nothing equals
 * only nothing, and a negated condition keeps rows without a value.
 */
export function conditionSql(
  sql: string,
  kind: ColumnKind,
  { comparison, values }: Condition,
  bindings: Bindings,
): string {
  const sized = ordered(sql, kind);
  if (comparison.by === "order")
    return values.map((value) => `${sized} ${comparison.sign} ${bound(value, kind, bindings)}`).join(" AND ");
  const { by, negated } = comparison;
  if (kind !== "number" && kind !== "time")
    return fieldFilterSql(
      { comparison: by, negated, values: values.map(String) },
      { column: sql, isSymbol: true, whenEmpty: "" },
      bindings,
    );
  const matches = values.map((value) =>
    value === "" ? `${sql} = null` : `${sized} = ${bound(value, kind, bindings)}`,
  );
  return `${negated ? "NOT " : ""}(${matches.join(" OR ")})`;
}

function ordered(sql: string, kind: ColumnKind): string {
  return kind === "time" ? sql : `${sql}::double`;
}

function bound(value: string | number, kind: ColumnKind, bindings: Bindings): string {
  return kind === "time" ? bindings.bindTime(Number(value)) : `${bindings.bind(value)}::double`;
}
