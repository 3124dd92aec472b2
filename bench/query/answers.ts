/** The fields of an answer's rows in the order of the columns of ClickHouse's query; the first names the row. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  summary_metrics: [
    "pageviews",
    "unique_visitors",
    "sessions",
    "bounce_rate",
    "avg_session_duration",
    "median_session_duration",
    "pages_per_session",
    "total_events",
  ],
  events_by_date: [
    "date",
    "value",
    "pageviews",
    "visitors",
    "sessions",
    "bounce_rate",
    "avg_session_duration",
    "median_session_duration",
    "pages_per_session",
  ],
  visitors: ["date", "value"],
  top_pages: ["path", "pageviews", "visitors", "percentage"],
  entry_pages: ["path", "sessions", "visitors", "percentage"],
  "goal by source": ["value", "visitors", "converted", "completions", "conversionRate"],
  events: ["name", "total_events", "visitors", "unique_sessions", "first_occurrence", "last_occurrence", "percentage"],
};
const audienceFields = ["name", "pageviews", "visitors", "sessions", "percentage"];

type Row = Readonly<Record<string, unknown>>;

/** The first difference between an answer and ClickHouse's; undefined when they agree. */
export function difference(type: string, ours: readonly Row[], theirs: readonly unknown[][]): string | undefined {
  const fields = fieldsOf[type] ?? audienceFields;
  // A series also has the days without events, whose counts are 0, or null before the first one.
  const isSeries = fields[0] === "date";
  const rows = isSeries ? ours.filter((row) => fields.slice(1).some((field) => (row[field] ?? 0) !== 0)) : ours;
  if (rows.length !== theirs.length) return `${rows.length} rows, not ${theirs.length}`;
  for (const [index, row] of rows.entries())
    for (const [column, field] of fields.entries()) {
      const wanted = theirs[index]?.[column];
      if (!agrees(field, row[field], wanted))
        return `row ${index}, ${field}: ${String(row[field])}, not ${String(wanted)}`;
    }
  return undefined;
}

function agrees(field: string, ours: unknown, theirs: unknown): boolean {
  if (typeof ours === "number") {
    const wanted = Number(theirs ?? 0);
    return Math.abs(ours - (Number.isNaN(wanted) ? 0 : wanted)) <= tolerance(field, wanted);
  }
  if (field.endsWith("_occurrence"))
    return Date.parse(String(ours)) === Date.parse(`${String(theirs).slice(0, 23).replace(" ", "T")}Z`);
  return ours === theirs;
}

/** Counts are exact; other figures are rounded to two places, and medians within a hundredth count as equal. */
function tolerance(field: string, wanted: number): number {
  if (field === "median_session_duration") return 0.011 + Math.abs(wanted) * 0.01;
  return /rate|Rate|duration|percentage|per_session/.test(field) ? 0.0101 : 0;
}
