import { fieldIn, filterSql } from "./oracleFilters.ts";
import type { TimeRange } from "./oracleRanges.ts";
import { loneEventsSql, sessionsSql } from "./oracleSql.ts";
import type { RandomStep, RandomSteps } from "./randomSteps.ts";

/** The visits that a question about steps selects, as a statement. */
export function chosenVisits(question: RandomSteps, { startMs, endMs }: TimeRange): string {
  const visits = sessionsSql(question.type, { ...question, limit: 0, page: 1 });
  return `SELECT * FROM (${visits}) WHERE started >= ${startMs} AND started < ${endMs}`;
}

/** The events of no visit that a question selects, as a statement. */
export function chosenLoneEvents(question: RandomSteps, { startMs, endMs }: TimeRange): string {
  const events = loneEventsSql(question.type, { ...question, limit: 0, page: 1 });
  return `SELECT * FROM (${events}) WHERE ts >= ${startMs} AND ts < ${endMs}`;
}

/** Whether an event takes a step: it is of its kind, has its path or name, and matches its filters. */
export function stepCondition({ kind, op, value, filters }: RandomStep): string {
  const own = { field: kind === "page" ? "path" : "event_name", op, values: [value] };
  const type = kind === "page" ? "page_view" : "custom";
  return [`event_type = '${type}'`, ...[own, ...filters].map((filter) => filterSql(filter, "events"))].join(" AND ");
}

/** The value that a visit, or an event with the fields of its visit, has in a split. */
export function splitValue(field: string): string {
  const { sql, empty = "Unknown" } = fieldIn("events", field);
  return `coalesce(nullif(${sql}, ''), '${empty}')`;
}
