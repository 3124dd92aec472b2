import { columnsOfTable } from "../../store/questdb/tables.ts";
import type { PreparedAnswer } from "../answer/preparedAnswer.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { Bindings } from "../sql/bindings.ts";
import { allOf, filterSql } from "../sql/filters.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { columnRows } from "./columnRows.ts";
import { only } from "./groupedRows.ts";

/**
 * The answer of a type whose rows are rows of its table: newest first, or by the type's own columns before; without
 * ties. A field whose column the table does not have is always empty.
 */
export function prepareList(plan: ParameterPlan): PreparedAnswer {
  const { type, filters } = plan;
  if (type.shape.kind !== "list") throw new Error(`query type ${type.name} is no list`);
  const bindings = new Bindings();
  const wanted = new Set(type.fields.flatMap(({ from }) => ("column" in from ? [from.column] : [])));
  const columns = Object.keys(columnsOfTable[type.table]).filter((column) => wanted.has(column));
  const { largestFirst = [], key = ["event_key"] } = type.shape;
  const order = [...largestFirst, "ts", ...key].map((column) => `${column} DESC`);
  const rows = [rowsOf(type.table, plan, bindings), only(type, type.table), filterSql(filters, type.table, bindings)];
  const sql =
    `SELECT ${columns.join(", ")} FROM ${allOf(rows)} ` + `ORDER BY ${order.join(", ")} ${bindings.bindPage(plan)}`;
  return {
    statements: [{ sql, values: bindings.values }],
    rows: ([rows = []]) => columnRows(type.fields, rows),
  };
}
