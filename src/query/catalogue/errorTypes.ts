import type { FieldName } from "../sql/fields.ts";
import {
  dateField,
  grouped,
  measured,
  type QueryType,
  ratio,
  seriesLimit,
  share,
  shown,
  tableLimit,
} from "./queryType.ts";

// Error messages may reveal details about a business or a person, so no public dashboard shows them.
const errorTable = { category: "errors", isPublic: false, table: "script_errors" } as const;

function errorsBy(name: string, label: string, dimension: FieldName): QueryType {
  return {
    ...errorTable,
    name,
    title: `Errors by ${label.toLowerCase()}`,
    description: `Script errors by ${label.toLowerCase()}, most frequent first.`,
    shape: { kind: "table", dimensions: [dimension] },
    fields: [
      grouped("name", label),
      measured("errors", "count"),
      measured("errors"),
      measured("error_visitors", "users"),
      measured("error_sessions", "sessions"),
      measured("last_error", "last_seen"),
      share("errors"),
    ],
    defaultLimit: tableLimit,
  };
}

/** Figures of errors in scripts on pages. */
export const errorTypes: readonly QueryType[] = [
  errorsBy("error_types", "Message", "message"),
  errorsBy("errors_by_type", "Type", "error_type"),
  errorsBy("errors_by_page", "Page", "path"),
  {
    ...errorTable,
    name: "error_trends",
    title: "Errors over time",
    description: "Script errors and the affected visitors, by day or hour.",
    shape: { kind: "series" },
    fields: [dateField, measured("errors"), measured("error_visitors", "users")],
    defaultLimit: seriesLimit,
  },
  {
    ...errorTable,
    name: "error_frequency",
    title: "Error frequency",
    description: "Script errors by day or hour.",
    shape: { kind: "series" },
    fields: [dateField, measured("errors", "count")],
    defaultLimit: seriesLimit,
  },
  {
    ...errorTable,
    name: "error_chart_data",
    title: "Errors and visitors over time",
    description: "The same as error_trends, under other names.",
    shape: { kind: "series" },
    fields: [dateField, measured("errors", "totalErrors"), measured("error_visitors", "affectedUsers")],
    defaultLimit: seriesLimit,
  },
  {
    ...errorTable,
    name: "error_summary",
    title: "Errors in total",
    description:
      "Script errors, their distinct messages and the affected visitors, in one row. errorRate is the share of visitors with an error; filters on fields that only errors have do not change its visitors.",
    shape: { kind: "summary" },
    fields: [
      measured("errors", "totalErrors"),
      measured("error_messages", "uniqueErrorTypes"),
      measured("error_visitors", "affectedUsers"),
      measured("error_sessions", "affectedSessions"),
      ratio("errorRate", "Visitors who met an error", "error_visitors", "visitors"),
    ],
    defaultLimit: tableLimit,
  },
  {
    ...errorTable,
    name: "recent_errors",
    title: "Recent errors",
    description: "Script errors one by one, newest first.",
    shape: { kind: "list" },
    fields: [
      shown("message", "Message", "text"),
      shown("stack", "Stack", "text"),
      shown("path", "Page", "text"),
      shown("anonymous_id", "Visitor", "text"),
      shown("session_id", "Session", "text"),
      shown("timestamp", "Time", "time", { column: "ts" }),
      shown("filename", "File", "text"),
      shown("lineno", "Line", "figure", { column: "line_number" }),
      shown("colno", "Column", "figure", { column: "column_number" }),
      shown("error_type", "Type", "text"),
      shown("browser_name", "Browser", "text", { column: "browser" }),
      shown("browser_version", "Browser version", "text"),
      shown("os_name", "Operating system", "text", { column: "os" }),
      shown("os_version", "Version of the system", "text"),
      shown("device_type", "Device", "text", { column: "device" }),
      shown("country", "Country", "text"),
      shown("region", "Region", "text"),
    ],
    defaultLimit: tableLimit,
  },
];
