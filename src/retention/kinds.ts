import type { TableName } from "../store/questdb/tables.ts";
import { startOfUtcDay } from "../time/utcDay.ts";
import { oldestKeptMs, type Period, type RetentionDays } from "./periods.ts";

/**
 * Rows of a table that expire together, by one of a website's periods. `only` selects them if a table holds several
 * kinds; `counted` excludes placeholder rows of records that no longer exist.
 */
export type RetentionKind = {
  readonly name: string;
  readonly table: TableName;
  readonly period: Period;
  readonly only?: string;
  readonly counted?: string;
};

/** Whether a row of daily_figures is one, and not the placeholder of a value that its day no longer has. */
export const hasFigures = "page_views + custom_events + visitors + sessions > 0";

/**
 * Every kind of data and its period (specification part 8). What a browser or a service sent as a single event is raw,
 * unless it has a period of its own. Checks and clicks on short links identify no person and are kept for long-term
 * reports, so they stay as long as the aggregates.
 */
export const retentionKinds: readonly RetentionKind[] = [
  { name: "events", table: "events", period: "rawEventsDays", only: "event_type != 'custom'" },
  { name: "custom_events", table: "events", period: "customEventsDays", only: "event_type = 'custom'" },
  { name: "outgoing_links", table: "outgoing_links", period: "rawEventsDays" },
  { name: "sessions", table: "sessions", period: "rawEventsDays", counted: "last_activity_ms IS NOT NULL" },
  { name: "errors", table: "script_errors", period: "rawEventsDays" },
  { name: "llm_calls", table: "llm_calls", period: "rawEventsDays" },
  { name: "performance", table: "performance_metrics", period: "performanceDays" },
  { name: "aggregated", table: "daily_aggregates", period: "aggregatedDays", counted: "total_views > 0" },
  { name: "daily_figures", table: "daily_figures", period: "aggregatedDays", counted: hasFigures },
  { name: "excluded", table: "excluded_traffic", period: "aggregatedDays" },
  { name: "link_clicks", table: "link_clicks", period: "aggregatedDays" },
  { name: "uptime", table: "uptime_checks", period: "aggregatedDays" },
];

/** The kinds that sessions are computed from, as a PostgreSQL array. */
export const sessionKindsSql = "'{events,custom_events,outgoing_links}'::text[]";

export const retentionTables: readonly TableName[] = [...new Set(retentionKinds.map(({ table }) => table))];

export function kindsOf(table: TableName): readonly RetentionKind[] {
  return retentionKinds.filter((kind) => kind.table === table);
}

/** The expression for a row's kind. */
export function kindSql(table: TableName): string {
  const cases = kindsOf(table).map(({ name, only }) =>
    only === undefined ? `'${name}'` : `WHEN ${only} THEN '${name}'`,
  );
  return cases.length === 1 ? cases.join("") : `CASE ${cases.join(" ")} END`;
}

/** The expression that is 1 for rows that count and 0 for placeholders. */
export function countedSql(table: TableName): string {
  const [counted] = kindsOf(table).flatMap((kind) => kind.counted ?? []);
  return counted === undefined ? "1" : `CASE WHEN ${counted} THEN 1 ELSE 0 END`;
}

/** Whether rows of a kind and a UTC day (YYYY-MM-DD) are past their period. */
export function isExpired({ period }: RetentionKind, day: string, periods: RetentionDays, nowMs: number): boolean {
  return startOfUtcDay(day) < oldestKeptMs(nowMs, periods[period]);
}
