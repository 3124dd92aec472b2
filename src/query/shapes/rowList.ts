import { columnsOfTable } from "../../store/questdb/tables.ts";
import { only } from "../catalogue/typeParts.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { allOf, filterSql } from "../sql/filters.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { ownFilters, rowsWithinVisits } from "../visits/rowsWithinVisits.ts";
import { selectedEvents } from "../visits/visitEvents.ts";
import { columnAnswer } from "./columnRows.ts";

/**
 * The answer of a type whose rows are rows of its table: newest first, or by the type's own columns before; without
 * ties. A field whose column the table does not have is always empty.
 */
export function prepareList(plan: ParameterPlan): PreparedAnswer {
  const { type } = plan;
  if (type.shape.kind !== "list") throw new Error(`query type ${type.name} is no list`);
  const bindings = new Bindings();
  const wanted = new Set(type.fields.flatMap(({ from }) => ("column" in from ? [from.column] : [])));
  const columns = Object.keys(columnsOfTable[type.table]).filter((column) => wanted.has(column));
  const { largestFirst = [], key = ["event_key"] } = type.shape;
  const order = [...largestFirst, "ts", ...key].map((column) => `${column} DESC`);
  const sql =
    `SELECT ${columns.join(", ")} FROM ${rowsOfList(plan, columns, bindings)} ` +
    `ORDER BY ${order.join(", ")} ${bindings.bindPage(plan)}`;
  return columnAnswer(plan, sql, bindings);
}

/** Rows are listed by their own time, whenever their visit began. */
function rowsOfList(plan: ParameterPlan, columns: readonly string[], bindings: Bindings): string {
  const { type, filters } = plan;
  const { table } = type;
  if (table !== "events" && table !== "outgoing_links") {
    const own = filterSql(ownFilters(filters, table), table, bindings);
    return rowsWithinVisits(plan, table, allOf([rowsOf(table, plan, bindings), only(type, table), own]), bindings);
  }
  const kept = [...new Set([...columns, "event_key"])].filter(
    (name) => !["ts", "session_key", "visitor_key"].includes(name),
  );
  const values = Object.fromEntries(kept.map((column) => [column, column]));
  return selectedEvents({ ...plan, isNow: true }, table, values, [only(type, table)], bindings);
}
