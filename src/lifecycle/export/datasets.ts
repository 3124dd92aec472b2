import type { TableName } from "../../store/questdb/tables.ts";

/**
 * What a column holds. Times are milliseconds since 1970 in UTC as QuestDB gives them, `date` is such a time at midnight UTC, `json` is
 * JSON text.
 */
export type ColumnKind = "text" | "timestamp" | "date" | "integer" | "number" | "json";

/** A column of an exported file, and the expression of QuestDB that makes it. */
export type Column = { readonly name: string; readonly kind: ColumnKind; readonly sql: string };

/** One file of an export: the rows of a table. */
export type Dataset = {
  /** Name of the file. */
  readonly name: string;
  /** The data type that a request names to get it (specification 4.18). */
  readonly dataType: string;
  readonly table: TableName;
  /** The column that distinguishes rows of the same time; rows are in order of time and this column. */
  readonly key: string;
  /** Leaves out tombstones of erased rows. */
  readonly only?: string;
  /** Whether its days are UTC days in any time zone of the website. */
  readonly hasUtcDays?: true;
  readonly columns: readonly Column[];
};

const ms = (microseconds: string) => `${microseconds}::long / 1000`;

const column = (kind: ColumnKind, name: string, sql = name): Column => ({ name, kind, sql });
const texts = (...names: readonly string[]): Column[] => names.map((name) => column("text", name));

const timestamp = column("timestamp", "timestamp", ms("ts"));
const properties = column("json", "properties");

/** Files of an export in their order in the archive. Columns are named as in specification part 2 and in structured queries. */
export const datasets: readonly Dataset[] = [
  {
    name: "events",
    dataType: "events",
    table: "events",
    key: "event_key",
    columns: [
      ...texts("event_id", "event_type", "name", "website_id", "anonymous_id", "session_id"),
      timestamp,
      ...texts("path", "title", "referrer", "referrer_source", "referrer_group"),
      column("text", "screen_resolution", "screen"),
      ...texts("viewport", "language", "timezone", "country", "region", "city"),
      column("text", "browser_name", "browser"),
      ...texts("browser_version"),
      column("text", "os_name", "os"),
      ...texts("os_version"),
      column("text", "device_type", "device"),
      column("text", "connection_type", "connection"),
      column("number", "rtt_ms"),
      column("number", "downlink_mbps"),
      ...texts("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"),
      column("number", "time_on_page_ms"),
      column("number", "scroll_depth_percent"),
      column("integer", "interaction_count"),
      column("integer", "page_count"),
      properties,
    ],
  },
  {
    name: "outgoing_links",
    dataType: "events",
    table: "outgoing_links",
    key: "event_key",
    columns: [
      ...texts("event_id", "website_id", "anonymous_id", "session_id"),
      timestamp,
      ...texts("path", "href", "text"),
      properties,
    ],
  },
  {
    name: "sessions",
    dataType: "sessions",
    table: "sessions",
    key: "session_key",
    only: "last_activity_ms != null",
    columns: [
      ...texts("session_id", "website_id", "anonymous_id"),
      column("timestamp", "start_time", ms("started")),
      column("timestamp", "last_activity", "last_activity_ms"),
      column("integer", "page_count"),
      column("number", "duration_seconds"),
      ...texts("entry_page", "exit_page", "utm_source", "utm_campaign", "country"),
    ],
  },
  {
    name: "aggregated",
    dataType: "aggregated",
    table: "daily_aggregates",
    key: "page",
    only: "total_views > 0",
    hasUtcDays: true,
    columns: [
      column("date", "date", ms("ts")),
      ...texts("website_id", "page"),
      column("integer", "total_views"),
      column("integer", "unique_visitors"),
      column("number", "avg_duration_seconds"),
      column("number", "bounce_rate"),
      column("json", "top_referrers"),
    ],
  },
];

/** The datasets of data types, each once. */
export function datasetsOf(dataTypes: readonly string[]): readonly Dataset[] {
  return datasets.filter(({ dataType }) => dataTypes.includes(dataType));
}
