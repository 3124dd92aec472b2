import { inactivityMs } from "../../aggregation/sessions.ts";
import { dayMs } from "../../time/utcDay.ts";
import type { Bindings } from "../sql/bindings.ts";
import { type FactTable, isOfVisitOnly } from "../sql/fields.ts";
import type { Filter } from "../sql/filters.ts";
import { type VisitScope, visitsSql } from "./visitsSql.ts";

/** The filters on fields that a table has itself. */
export function ownFilters(filters: readonly Filter[], table: FactTable): readonly Filter[] {
  return filters.filter(({ field }) => !isOfVisitOnly(table, field));
}

/**
 * Those of some rows of a table (the text after FROM) whose visit is selected by the filters on fields that the table lacks, as the text
 * after FROM; nothing may follow it with AND. All rows without such a filter.
 *
 * A row belongs to the visit of its session that it happened in, or less than 30 minutes after on the same UTC day: a page may report its vitals
 * and errors after its last event, and a visit that fills a day may be followed by the next one at midnight. A row of no visit is not selected.
 */
export function rowsWithinVisits(scope: VisitScope, table: FactTable, rows: string, bindings: Bindings): string {
  const filters = scope.filters.filter(({ field }) => isOfVisitOnly(table, field));
  if (filters.length === 0) return rows;
  const range = { startMs: scope.range.startMs - inactivityMs, endMs: scope.range.endMs };
  const visits = visitsSql({ ...scope, filters, range, isNow: true }, [], bindings);
  const endMs = `least(visit_last / 1000 + ${inactivityMs}, (visit_last / ${dayMs}000 + 1) * ${dayMs})`;
  return (
    `(SELECT * FROM (SELECT * FROM ${rows}) JOIN ` +
    `(SELECT session_key AS visit_session_key, began AS visit_began, last AS visit_last FROM (${visits})) ` +
    `ON session_key = visit_session_key WHERE ts::long >= visit_began AND ts::long / 1000 < ${endMs})`
  );
}
