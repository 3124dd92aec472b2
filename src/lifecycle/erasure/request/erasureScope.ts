import { timeColumnOf } from "../../../store/questdb/rowTime.ts";
import { columnsOfTable, type TableName, tableNames } from "../../../store/questdb/tables.ts";

/** What can be erased (specification 4.17), and the tables that each type stands for. */
const tablesOfType = {
  events: ["events", "outgoing_links", "llm_calls"],
  sessions: ["sessions"],
  performance: ["performance_metrics"],
  aggregated: ["daily_aggregates"],
  errors: ["script_errors"],
  outgoing_links: ["outgoing_links"],
  uptime: ["uptime_checks"],
} as const satisfies Record<string, readonly TableName[]>;

export type DataType = keyof typeof tablesOfType;

export const dataTypes = Object.keys(tablesOfType) as readonly DataType[];

/** What an erasure is about. Times are Unix ms, `untilMs` does not belong to it; days are YYYY-MM-DD in the website's time zone. */
export type ErasureScope = {
  readonly kind: "request" | "purge";
  readonly websiteId: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly startDate: string;
  readonly endDate: string;
  readonly dataTypes: readonly string[];
  /** Null: everyone's. */
  readonly visitorKey: number | null;
};

/** Rows of one table that belong to an erasure: a condition with its values bound as $1, $2 and so on. */
export type Target = {
  readonly table: TableName;
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** Leaves out rows that stand for what is gone already. */
  readonly liveSql: string;
  readonly fromMs: number;
  readonly untilMs: number;
};

/** The rows that are erased. A table that holds nothing of a single visitor is left out where one visitor is erased. */
export function targetsOf(scope: ErasureScope): Target[] {
  return targetTables(scope).flatMap((table) => targetOf(scope, table) ?? []);
}

/** Rows that are made of erased ones and are made again from what is left: none where they are erased themselves. */
export function derivedTargetsOf(scope: ErasureScope): Target[] {
  const tables = targetTables(scope);
  if (!touchesSessions(scope)) return [];
  return (["sessions", "daily_aggregates"] as const)
    .filter((table) => !tables.includes(table))
    .flatMap((table) => targetOf({ ...scope, ...(table === "sessions" ? {} : { visitorKey: null }) }, table) ?? []);
}

/** Whether sessions and daily records are made of what is erased. */
export function touchesSessions(scope: ErasureScope): boolean {
  return targetTables(scope).some((table) => table === "events" || table === "outgoing_links");
}

/**
 * Tables whose rows would be made again from rows that stay: erased sessions from events that are kept, daily records likewise. They are kept
 * out for good.
 */
export function lastingTables(scope: ErasureScope): TableName[] {
  const tables = targetTables(scope);
  const derived = tables.filter((table) => table === "sessions" || table === "daily_aggregates");
  return tables.includes("events") ? [] : derived;
}

/** The data type under which the rows of a table are counted. */
export function countedAs(table: TableName): string {
  // A table that only goes along with another type is named by itself.
  return dataTypes.find((type) => tablesOfType[type][0] === table) ?? table;
}

function targetTables({ kind, dataTypes: types }: ErasureScope): readonly TableName[] {
  if (kind === "purge") return tableNames;
  return tableNames.filter((table) =>
    types.some((type) => isDataType(type) && tablesOfType[type].some((name) => name === table)),
  );
}

function isDataType(text: string): text is DataType {
  return Object.hasOwn(tablesOfType, text);
}

const dayMs = 86_400_000;

function targetOf(scope: ErasureScope, table: TableName): Target | undefined {
  const { websiteId, visitorKey } = scope;
  const hasVisitors = table !== "link_clicks" && "visitor_key" in columnsOfTable[table];
  if (visitorKey !== null && !hasVisitors) return undefined;
  const isRecord = table === "daily_aggregates";
  const time = timeColumnOf(table);
  const fromMs = isRecord ? Date.parse(`${scope.startDate}T00:00:00Z`) : scope.fromMs;
  const untilMs = isRecord ? Date.parse(`${scope.endDate}T00:00:00Z`) + dayMs : scope.untilMs;
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
};
