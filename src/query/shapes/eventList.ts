import { columnsOfTable } from "../../store/questdb/tables.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { linkFilters, outgoingLink } from "../sql/linkFilters.ts";
import { visitFilters } from "../visits/splitFilters.ts";
import { selectedEvents } from "../visits/visitEvents.ts";
import { columnAnswer } from "./columnRows.ts";

type Table = "events" | "outgoing_links";

/** The answer of a type whose rows are events of all kinds, including outgoing links, newest first, without ties. */
export function prepareEventList(plan: ParameterPlan): PreparedAnswer {
  const { type, filters, offset, limit } = plan;
  const bindings = new Bindings();
  const columns = type.fields.flatMap(({ from }) => ("column" in from && from.column !== "ts" ? [from.column] : []));
  const first = bindings.bind(offset);
  const end = bindings.bind(offset + limit);
  // The oldest row that can be on the page bounds each table, so that only the rows of a few pages are sorted. QuestDB
  // 9.3.4 loses rows of a union whose parts have both an order by two columns and a limit.
  const newest = (table: Table, tableFilters: typeof filters) => {
    const values = Object.fromEntries(columns.map((column) => [column, eventColumn(table, column)]));
    const scope = { ...plan, filters: tableFilters, isNow: true };
    const selected = () => selectedEvents(scope, table, { event_key: "event_key", ...values }, [], bindings);
    if (visitFilters(tableFilters).length > 0) return `SELECT ts, event_key, ${columns.join(", ")} FROM ${selected()}`;
    const shown = Object.entries(values).map(([name, sql]) => `${sql} AS ${name}`);
    const chosen = selected();
    const oldest = `SELECT min(ts) FROM (SELECT ts FROM ${chosen} ORDER BY ts DESC LIMIT ${end})`;
    return `SELECT ts, event_key, ${shown.join(", ")} FROM ${chosen} AND ts >= (${oldest})`;
  };
  const ofLinks = linkFilters(filters);
  const all = [newest("events", filters), ...(ofLinks === undefined ? [] : [newest("outgoing_links", ofLinks)])].join(
    " UNION ALL ",
  );
  const sql = `SELECT * FROM (${all}) ORDER BY ts DESC, event_key DESC, event_type LIMIT ${first}, ${end}`;
  return columnAnswer(plan, sql, bindings);
}

/** A column of events or of outgoing links as text, null in the table that does not have it. */
export function eventColumn(table: Table, column: string): string {
  if (table === "outgoing_links" && (column === "event_type" || column === "name")) return `'${outgoingLink}'::varchar`;
  return column in columnsOfTable[table] ? `${column}::varchar` : "null::varchar";
}
