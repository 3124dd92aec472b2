import { contextColumns } from "../../aggregation/sessionContext.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { bounceSql, type MeasureName, rowKinds } from "../sql/measures.ts";
import { sessionsSource } from "../sql/sessionsSource.ts";
import { type StoredSessions, storedRowsOf, touchesLiveRangeSql } from "./storedSessions.ts";

const columns = ["started", "visitor_key", "page_views", "actions", "clicks", "seconds", "duration_ms", "bounced"];

/**
 * The sessions of `sessionsSource` with the columns that measures and dimensions need; only those near live ranges are
 * computed from events.
 */
export function storedSessionsSource(
  plan: ParameterPlan,
  stored: StoredSessions,
  dimensions: readonly Field[],
  condition: string | undefined,
  bindings: Bindings,
): string {
  const groups = dimensions.map((field, index) => `${storedColumn(plan.type, field)}::string AS g${index}`);
  const all = [...columns, ...dimensions.map((_, index) => `g${index}`)].join(", ");
  const plain =
    "SELECT started, visitor_key, page_count AS page_views, action_count AS actions, click_count AS clicks, " +
    "duration_seconds AS seconds, round(duration_seconds * 1000000.0)::long / 1000 AS duration_ms" +
    `${groups.map((group) => `, ${group}`).join("")} FROM ${storedRowsOf(plan, stored.liveRanges, bindings)}` +
    `${condition === undefined ? "" : " AND page_count > 0"}`;
  const parts = stored.windows.map((range) => {
    const made = sessionsSource({ ...plan, range }, dimensions, condition, bindings);
    return `SELECT ${all} FROM ${made} WHERE ${touchesLiveRangeSql(stored.liveRanges)}`;
  });
  const settled = `SELECT ${all} FROM (SELECT *, (${bounceSql}) AS bounced FROM (${plain}))`;
  return `(${[settled, ...parts].join(" UNION ALL ")})`;
}

/** Whether stored sessions have every column that a type needs. */
export function areStored(type: QueryType, dimensions: readonly Field[], measures: readonly MeasureName[]): boolean {
  const { only, shape } = type;
  const end = (shape.kind === "table" && shape.sessionEnd) || "first";
  if (only === undefined)
    return end === "first" && dimensions.every((field) => contextColumns.some((column) => column === field.column));
  // Figures of a session's page views alone are not stored, except which page was the first and which the last.
  return (
    rowKinds[only] === rowKinds.page_view &&
    dimensions.every(({ column }) => column === "path") &&
    measures.every((name) => name === "sessions" || name === "session_visitors")
  );
}

function storedColumn({ only, shape }: QueryType, { column }: Field): string {
  if (only === undefined) return column;
  return shape.kind === "table" && shape.sessionEnd === "last" ? "exit_page" : "entry_page";
}
