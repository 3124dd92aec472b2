import type { FieldName } from "../fields.ts";
import { dateField, grouped, measured, type QueryType, seriesLimit, share, tableLimit } from "./queryType.ts";

// Messages of errors may tell of a business or a person, so no public dashboard shows them.
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
    description: "Script errors and the visitors who met them, by day or hour.",
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
];
