import type { FieldName } from "../sql/fields.ts";
import { define, type Group, series, summary, table } from "./define.ts";
import { grouped, measured, type QueryType, ratio, share, shown } from "./queryType.ts";

// Error messages may reveal details about a business or a person, so no public dashboard shows them.
const errors = { category: "errors", isPublic: false, table: "script_errors" } as const satisfies Group;

function errorsBy(name: string, label: string, dimension: FieldName): QueryType {
  const by = label.toLowerCase();
  return table(
    errors,
    name,
    `Errors by ${by}`,
    `Script errors by ${by}, most frequent first.`,
    [dimension],
    [
      grouped("name", label),
      measured("errors", "count"),
      measured("errors"),
      measured("error_visitors", "users"),
      measured("error_sessions", "sessions"),
      measured("last_error", "last_seen"),
      share("errors"),
    ],
  );
}

/** Figures of errors in scripts on pages. */
export const errorTypes: readonly QueryType[] = [
  errorsBy("error_types", "Message", "message"),
  errorsBy("errors_by_type", "Type", "error_type"),
  errorsBy("errors_by_page", "Page", "path"),
  series(errors, "error_trends", "Errors over time", "Script errors and the affected visitors, by day or hour.", [
    measured("errors"),
    measured("error_visitors", "users"),
  ]),
  series(errors, "error_frequency", "Error frequency", "Script errors by day or hour.", [measured("errors", "count")]),
  series(errors, "error_chart_data", "Errors and visitors over time", "The same as error_trends, under other names.", [
    measured("errors", "totalErrors"),
    measured("error_visitors", "affectedUsers"),
  ]),
  summary(
    errors,
    "error_summary",
    "Errors in total",
    "Script errors, their distinct messages and the affected visitors, in one row. errorRate is the share of visitors with an error; filters on fields that only errors have do not change its visitors.",
    [
      measured("errors", "totalErrors"),
      measured("error_messages", "uniqueErrorTypes"),
      measured("error_visitors", "affectedUsers"),
      measured("error_sessions", "affectedSessions"),
      ratio("errorRate", "Visitors who met an error", "error_visitors", "visitors"),
    ],
  ),
  define(errors, "recent_errors", "Recent errors", "Script errors one by one, newest first.", { kind: "list" }, [
    shown("message", "Message", "text"),
    shown("stack", "Stack", "text"),
    shown("path", "Page", "text"),
    shown("anonymous_id", "Visitor", "text"),
    shown("session_id", "Session", "text"),
    shown("timestamp", "Time", "time", { column: "ts" }),
    shown("filename", "File", "text"),
    shown("lineno", "Line", "figure", { column: "line_number", unit: "line number" }),
    shown("colno", "Column", "figure", { column: "column_number", unit: "column number" }),
    shown("error_type", "Type", "text"),
    shown("browser_name", "Browser", "text", { column: "browser" }),
    shown("browser_version", "Browser version", "text"),
    shown("os_name", "Operating system", "text", { column: "os" }),
    shown("os_version", "Version of the system", "text"),
    shown("device_type", "Device", "text", { column: "device" }),
    shown("country", "Country", "text"),
    shown("region", "Region", "text"),
  ]),
];
