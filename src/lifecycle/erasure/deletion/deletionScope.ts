import { hasFigures } from "../../../retention/kinds.ts";
import { timeColumnOf } from "../../../store/questdb/rowTime.ts";
import { columnsOfTable, type TableName, tableNames } from "../../../store/questdb/tables.ts";
import { dayMs, startOfUtcDay } from "../../../time/utcDay.ts";

/** The data types that can be deleted (specification 4.17), and their tables. */
const tablesOfType = {
  events: ["events", "outgoing_links", "llm_calls"],
  sessions: ["sessions"],
  performance: ["performance_metrics"],
  aggregated: ["daily_aggregates", "daily_figures", "excluded_traffic"],
  errors: ["script_errors"],
  outgoing_links: ["outgoing_links"],
  uptime: ["uptime_checks"],
} as const satisfies Record<string, readonly TableName[]>;

/** Tables with a time for each UTC day. */
export const dailyTables = ["daily_aggregates", "daily_figures"] as const satisfies readonly TableName[];

function isDaily(table: TableName): boolean {
  return dailyTables.some((name) => name === table);
}

export type DataType = keyof typeof tablesOfType;

export const dataTypes = Object.keys(tablesOfType) as readonly DataType[];

/**
 * What a deletion covers. Times are Unix ms, `untilMs` is exclusive; days are YYYY-MM-DD in the website's time zone.
 */
export type DeletionScope = {
  readonly kind: "request" | "purge";
  readonly websiteId: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly startDate: string;
  readonly endDate: string;
  readonly dataTypes: readonly string[];
  /** Null: all visitors. */
  readonly visitorKey: number | null;
};

/** The rows of one table that a deletion covers: a condition with its values bound as $1, $2 and so on. */
export type Target = {
  readonly table: TableName;
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** Excludes placeholder rows for records that no longer exist. */
  readonly liveSql: string;
  readonly fromMs: number;
  readonly untilMs: number;
};

/** The rows to erase. If only one visitor is deleted, tables without visitors are left out. */
export function targetsOf(scope: DeletionScope): Target[] {
  return targetTables(scope).flatMap((table) => targetOf(scope, table) ?? []);
}

/**
 * Rows computed from erased ones, which are computed again from what is left. Tables that are erased themselves are
 * left out.
 */
export function derivedTargetsOf(scope: DeletionScope): Target[] {
  const tables = targetTables(scope);
  if (!touchesSessions(scope)) return [];
  return (["sessions", ...dailyTables] as const)
    .filter((table) => !tables.includes(table))
    .flatMap((table) => targetOf({ ...scope, ...(table === "sessions" ? {} : { visitorKey: null }) }, table) ?? []);
}

/** Whether sessions and daily records are computed from the erased rows. */
export function touchesSessions(scope: DeletionScope): boolean {
  return targetTables(scope).some((table) => table === "events" || table === "outgoing_links");
}

/**
 * Erased tables whose rows would be computed again from rows that stay: erased sessions or daily records while their
 * events are kept. Their range stays blocked.
 */
export function lastingTables(scope: DeletionScope): TableName[] {
  const tables = targetTables(scope);
  const derived = tables.filter((table) => table === "sessions" || isDaily(table));
  return tables.includes("events") ? [] : derived;
}

/** The data type under which the rows of a table are counted. */
export function dataTypeOf(table: TableName): string {
  // A table that is only erased along with another type counts under its own name.
  return dataTypes.find((type) => tablesOfType[type][0] === table) ?? table;
}

function targetTables({ kind, dataTypes: types }: DeletionScope): readonly TableName[] {
  if (kind === "purge") return tableNames;
  return tableNames.filter((table) =>
    types.some((type) => isDataType(type) && tablesOfType[type].some((name) => name === table)),
  );
}

function isDataType(text: string): text is DataType {
  return Object.hasOwn(tablesOfType, text);
}

function targetOf(scope: DeletionScope, table: TableName): Target | undefined {
  const { websiteId, visitorKey } = scope;
  const hasVisitors = table !== "link_clicks" && "visitor_key" in columnsOfTable[table];
  if (visitorKey !== null && !hasVisitors) return undefined;
  const isRecord = isDaily(table);
  const time = timeColumnOf(table);
  const fromMs = isRecord ? startOfUtcDay(scope.startDate) : scope.fromMs;
  const untilMs = isRecord ? startOfUtcDay(scope.endDate) + dayMs : scope.untilMs;
  return {
    table,
    sql: `website_id = $1 AND ${time} >= $2 AND ${time} < $3${visitorKey === null ? "" : " AND visitor_key = $4"}`,
    values: [websiteId, fromMs * 1_000, untilMs * 1_000, ...(visitorKey === null ? [] : [visitorKey])],
    liveSql: liveSqlOf[table] ?? "",
    fromMs,
    untilMs,
  };
}

const liveSqlOf: { readonly [T in TableName]?: string } = {
  sessions: " AND last_activity_ms IS NOT NULL",
  daily_aggregates: " AND total_views > 0",
  daily_figures: ` AND ${hasFigures}`,
};
