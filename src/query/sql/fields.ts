import { directGroup } from "../../aggregation/sessionContext.ts";

/**
 * The columns that answers group by and filters compare, by the names callers use. Nothing but these names and the SQL written here
 * reaches a statement; values are bound.
 */

/** Tables that query types count rows of. */
export type FactTable =
  | "events"
  | "outgoing_links"
  | "link_clicks"
  | "performance_metrics"
  | "script_errors"
  | "llm_calls"
  | "uptime_checks"
  | "excluded_traffic";

export type Field = {
  /** SQL of the value a row is grouped under. */
  readonly column: string;
  /** Columns a filter compares; one that matches is enough. Without it, `column`. */
  readonly filterColumns?: readonly string[];
  /** A SYMBOL is compared fast as it is, but text functions need it as VARCHAR. */
  readonly isSymbol?: boolean;
  /** The value of rows without one, in answers and in filters. */
  readonly whenEmpty: string;
  /** Filters ignore letter case. Values are stored in lower case, but were not always. */
  readonly ignoresCase?: boolean;
  /** Other names filters may use. */
  readonly aliases?: readonly string[];
  /** Whether it is a field of visits, not of events. */
  readonly isOfVisit?: boolean;
};

/** What answers show for a row without a value. */
export const unknown = "Unknown";

/**
 * Fields of the visit of an event: a visit has the value of its first event that has one. An event without a visit has its own.
 */
const visitFields = {
  // Answers show the source, so a filter must take both what an answer showed and the full address.
  referrer: { column: "referrer_source", filterColumns: ["referrer", "referrer_source"], whenEmpty: "Direct" },
  referrer_source: { column: "referrer_source", whenEmpty: "Direct" },
  referrer_group: { column: "referrer_group", isSymbol: true, whenEmpty: directGroup, aliases: ["traffic_source"] },
  referrer_url: { column: "referrer", whenEmpty: "Direct" },
  entry_page: { column: "entry_page", whenEmpty: unknown },
  exit_page: { column: "exit_page", whenEmpty: unknown },
  country: { column: "country", isSymbol: true, whenEmpty: unknown },
  region: { column: "region", isSymbol: true, whenEmpty: unknown },
  city: { column: "city", isSymbol: true, whenEmpty: unknown },
  language: { column: "language", whenEmpty: unknown },
  timezone: { column: "timezone", isSymbol: true, whenEmpty: unknown },
  browser_name: { column: "browser", isSymbol: true, whenEmpty: unknown, aliases: ["browser"] },
  os_name: { column: "os", isSymbol: true, whenEmpty: unknown, aliases: ["os"] },
  browser_version: { column: "browser_version", isSymbol: true, whenEmpty: unknown },
  os_version: { column: "os_version", isSymbol: true, whenEmpty: unknown },
  device_type: { column: "device", isSymbol: true, whenEmpty: unknown, aliases: ["device"] },
  connection_type: { column: "connection", isSymbol: true, whenEmpty: unknown },
  screen_resolution: { column: "screen", whenEmpty: unknown },
  viewport_size: { column: "viewport", whenEmpty: unknown, aliases: ["viewport"] },
  utm_source: { column: "utm_source", whenEmpty: unknown, ignoresCase: true },
  utm_medium: { column: "utm_medium", whenEmpty: unknown, ignoresCase: true },
  utm_campaign: { column: "utm_campaign", whenEmpty: unknown },
  utm_term: { column: "utm_term", whenEmpty: unknown },
  utm_content: { column: "utm_content", whenEmpty: unknown },
  session_id: { column: "session_id", whenEmpty: unknown },
  anonymous_id: { column: "anonymous_id", whenEmpty: unknown },
  visitor_type: { column: "visitor_type", whenEmpty: unknown },
  website_id: { column: "website_id", isSymbol: true, whenEmpty: unknown },
} as const satisfies Record<string, Field>;

const eventFields = {
  path: { column: "path", whenEmpty: unknown, aliases: ["page"] },
  title: { column: "title", whenEmpty: unknown },
  event_type: { column: "event_type", isSymbol: true, whenEmpty: unknown },
  event_name: { column: "name", whenEmpty: unknown, aliases: ["name"] },
  ...ofVisits(visitFields),
} as const satisfies Record<string, Field>;

const outgoingLinkFields = {
  path: { column: "path", whenEmpty: unknown },
  href: { column: "href", whenEmpty: unknown },
  // scheme://host/…: the third part between slashes.
  domain: { column: "split_part(href, '/', 3)", whenEmpty: unknown },
  text: { column: "text", whenEmpty: unknown },
  ...ofVisits(visitFields),
} as const satisfies Record<string, Field>;

/** Rows without a referrer came directly or from an app. */
const linkClickFields = {
  link_id: { column: "link_id", isSymbol: true, whenEmpty: unknown },
  referrer: { column: "referrer_source", whenEmpty: "Direct", aliases: ["referrer_source"] },
  ...asInVisits("country", "region", "city", "language", "browser_name", "os_name", "device_type"),
} as const satisfies Record<string, Field>;

/** Columns about the visitor whose page was measured. */
const visitorFields = {
  path: { column: "path", whenEmpty: unknown, aliases: ["page"] },
  ...asInVisits("country", "region", "browser_name", "os_name", "device_type", "session_id"),
} as const satisfies Record<string, Field>;

const performanceFields = {
  ...visitorFields,
  ...asInVisits("city"),
  metric_name: { column: "metric_type", isSymbol: true, whenEmpty: unknown, aliases: ["metric_type"] },
} as const satisfies Record<string, Field>;

const scriptErrorFields = {
  ...visitorFields,
  ...asInVisits("browser_version", "os_version"),
  message: { column: "message", whenEmpty: unknown },
  error_type: { column: "error_type", whenEmpty: unknown, aliases: ["error_name"] },
  filename: { column: "filename", whenEmpty: unknown },
  ...asInVisits("anonymous_id"),
} as const satisfies Record<string, Field>;

const llmCallFields = {
  provider: { column: "provider", whenEmpty: unknown },
  model: { column: "model", whenEmpty: unknown },
  type: { column: "call_type", whenEmpty: unknown, aliases: ["call_type"] },
  finish_reason: { column: "finish_reason", whenEmpty: unknown },
  error_name: { column: "error_name", whenEmpty: unknown },
  http_status: { column: "http_status::varchar", whenEmpty: unknown },
  trace_id: { column: "trace_id", whenEmpty: unknown },
  // Empty for a call that belongs to the organization only.
  website_id: { column: "website_id", isSymbol: true, whenEmpty: "" },
} as const satisfies Record<string, Field>;

const uptimeCheckFields = {
  region: { column: "region", isSymbol: true, whenEmpty: unknown, aliases: ["probe_region"] },
  status: { column: "status", isSymbol: true, whenEmpty: unknown },
  // 0 where the target did not answer.
  http_code: { column: "http_code::varchar", whenEmpty: "0" },
  monitor_id: { column: "monitor_id", isSymbol: true, whenEmpty: unknown, aliases: ["schedule_id"] },
} as const satisfies Record<string, Field>;

/** Of bots, except the reason. */
const excludedFields = {
  reason: { column: "reason", isSymbol: true, whenEmpty: unknown },
  kind: { column: "kind", isSymbol: true, whenEmpty: "" },
  name: { column: "name", whenEmpty: "" },
  operator: { column: "operator", whenEmpty: "" },
} as const satisfies Record<string, Field>;

export type FieldName =
  | keyof typeof eventFields
  | keyof typeof outgoingLinkFields
  | keyof typeof linkClickFields
  | keyof typeof performanceFields
  | keyof typeof scriptErrorFields
  | keyof typeof llmCallFields
  | keyof typeof uptimeCheckFields
  | keyof typeof excludedFields;

const fieldsOf: Readonly<Record<FactTable, ReadonlyMap<string, Field>>> = {
  events: withAliases(eventFields),
  outgoing_links: withAliases(outgoingLinkFields),
  link_clicks: withAliases(linkClickFields),
  performance_metrics: withAliases(performanceFields),
  script_errors: withAliases(scriptErrorFields),
  llm_calls: withAliases(llmCallFields),
  uptime_checks: withAliases(uptimeCheckFields),
  excluded_traffic: withAliases(excludedFields),
};

/** The field of a table by its name or alias. */
export function findField(table: FactTable, name: string): Field | undefined {
  return fieldsOf[table].get(name);
}

/** The own name of a field of a table that is named by it or by an alias. */
export function fieldNameOf(table: FactTable, name: string): FieldName | undefined {
  const field = findField(table, name);
  if (field === undefined) return undefined;
  const [own] = [...fieldsOf[table]].find(([, other]) => other === field) ?? [];
  // The first name of a field in the map is its key in the lists above; Object.entries has forgotten the names.
  return own as FieldName | undefined;
}

/** The names of a table's own fields, with their aliases. */
export function fieldNames(table: FactTable): string[] {
  return [...fieldsOf[table].keys()];
}

/** Tables without visit fields of their own whose rows belong to visits. */
export const tablesWithinVisits = ["script_errors", "performance_metrics"] as const satisfies readonly FactTable[];

/** Whether a filter on a field of this name selects rows of a table by their visit, since the table lacks the field. */
export function isOfVisitOnly(table: FactTable, name: string): boolean {
  return (
    tablesWithinVisits.some((within) => within === table) &&
    findField(table, name) === undefined &&
    findField("events", name)?.isOfVisit === true
  );
}

/** Every name that filters on a table may use. */
export function filterNames(table: FactTable): string[] {
  return [...fieldNames(table), ...fieldNames("events").filter((name) => isOfVisitOnly(table, name))];
}

/** Fields that rows of another table have themselves, under the names and columns of those of visits. */
function asInVisits<K extends keyof typeof visitFields>(...names: readonly K[]): Pick<typeof visitFields, K> {
  // Object.fromEntries forgets the names of the keys.
  return Object.fromEntries(names.map((name) => [name, visitFields[name]])) as Pick<typeof visitFields, K>;
}

function ofVisits<T extends Record<string, Field>>(fields: T): { readonly [K in keyof T]: Field } {
  const entries = Object.entries(fields).map(([name, field]) => [name, { ...field, isOfVisit: true }]);
  // Object.fromEntries forgets the names of the keys.
  return Object.fromEntries(entries) as { readonly [K in keyof T]: Field };
}

function withAliases(fields: Readonly<Record<string, Field>>): ReadonlyMap<string, Field> {
  return new Map(
    Object.entries(fields).flatMap(([name, field]) =>
      [name, ...(field.aliases ?? [])].map((key): [string, Field] => [key, field]),
    ),
  );
}
