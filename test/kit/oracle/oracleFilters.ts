import { type OracleField, oracleFields } from "./oracleDefinitions.ts";
import type { OracleSource } from "./oracleSource.ts";
import type { RandomQuery } from "./randomQuery.ts";
import { visitColumn } from "./visitTables.ts";

/** A field as a source has it: visits, and with them events and links, have values of their own for fields of visits. */
export function fieldIn(source: OracleSource, name: string): OracleField {
  const field = oracleFields[name];
  if (field === undefined) throw new Error(`oracleDefinitions.ts does not know the field ${name}; write it down there`);
  if (!isOfVisits(source, name)) return field;
  const { sql, searched = [sql] } = field;
  return { ...field, sql: visitColumn(sql), searched: searched.map(visitColumn) };
}

/** Whether rows of a source have values of their own for some fields of visits, and those of their visit for the others. */
export function isWithinVisits(source: OracleSource): boolean {
  return source in ownFields;
}

const ownOfBoth = [
  "country",
  "region",
  "browser_name",
  "browser",
  "os_name",
  "os",
  "device_type",
  "device",
  "session_id",
];

const ownFields: Readonly<Partial<Record<OracleSource, ReadonlySet<string>>>> = {
  performance_metrics: new Set([...ownOfBoth, "city"]),
  script_errors: new Set([...ownOfBoth, "browser_version", "os_version", "anonymous_id"]),
};

function isOfVisits(source: OracleSource, name: string): boolean {
  return oracleFields[name]?.isOfVisits === true && ownFields[source]?.has(name) !== true;
}

/** The conditions that a query's filters set on events, or on visits. */
export function conditionOf(
  { filters, type }: Pick<RandomQuery, "filters" | "type">,
  source: OracleSource,
  of: "events" | "visits",
): string[] {
  // A filter on a field that a table lacks does not filter its rows.
  const usable = filters.filter(({ field }) => source === type.table || !fieldsOfNoEvent.has(field));
  return usable
    .filter(({ field }) => isOfVisits(source, field) === (of === "visits"))
    .map((filter) => filterSql(filter, source));
}

/** Whether a query asks for single events, rather than for visits. */
export function selectsEvents(query: Pick<RandomQuery, "filters" | "type">): boolean {
  return conditionOf(query, "events", "events").length > 0;
}

const fieldsOfNoEvent: ReadonlySet<string> = new Set(["message", "error_type", "filename", "metric_name"]);

/** The condition of one filter on the rows of a source. */
export function filterSql({ field, op, values }: RandomQuery["filters"][number], source: OracleSource): string {
  const { sql, searched: columns = [sql], empty = "Unknown", none = "", ...how } = fieldIn(source, field);
  const searched = how.ignoresCase ? columns.map((column) => `lower(${column})`) : columns;
  const isEmpty = `coalesce(${sql}, '') IN ('', '${none}')`;
  if (op === "is_empty") return isEmpty;
  if (op === "is_not_empty") return `NOT ${isEmpty}`;
  const matches = values.flatMap((given) => {
    const spelled = how.isPath ? given.replaceAll(/(%[c-f][0-9a-f]%[89ab][0-9a-f])+/gi, decodeURIComponent) : given;
    const value = how.ignoresCase && given !== empty ? spelled.toLowerCase() : spelled;
    const text = `'${value.replaceAll("'", "''")}'`;
    if (op.endsWith("contains")) return searched.map((one) => `contains(${one}, ${text})`);
    if (op === "starts_with") return searched.map((one) => `starts_with(${one}, ${text})`);
    if (op === "ends_with") return searched.map((one) => `ends_with(${one}, ${text})`);
    // An empty text of an event is not stored, so no pattern matches it.
    if (op === "matches")
      return searched.map((one) => `(${one} <> '' AND regexp_full_match(${one}, '${regexOf(value)}', 's'))`);
    const isNothing = value === "" || value === empty ? [isEmpty] : [];
    return [...searched.map((one) => `${one} = ${text}`), ...isNothing];
  });
  const any = `coalesce(${matches.map((match) => `coalesce(${match}, false)`).join(" OR ")}, false)`;
  return ["ne", "not_contains", "not_in"].includes(op) ? `NOT ${any}` : any;
}

/** A pattern in which * is any characters and ? is one, as a regular expression in SQL quotes. */
function regexOf(pattern: string): string {
  const parts = pattern.match(/[*?]|[^*?]+/g) ?? [];
  const regex = parts.map((part) =>
    part === "*" ? ".*" : part === "?" ? "." : part.replaceAll(/[\\^$.|+()[\]{}]/g, "\\$&"),
  );
  return regex.join("").replaceAll("'", "''");
}
