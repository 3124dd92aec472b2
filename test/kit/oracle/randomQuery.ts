import type { QueryType } from "../../../src/query/catalogue/queryType.ts";
import { pick } from "../random/randomEvents.ts";

/** A query for both the service and the oracle. */
export type RandomQuery = {
  readonly type: QueryType;
  readonly start: string;
  readonly end: string;
  readonly zone: string;
  readonly unit: "hour" | "day" | "week" | "month";
  readonly filters: readonly { readonly field: string; readonly op: string; readonly values: readonly string[] }[];
  readonly limit: number;
  readonly page: number;
};

/** Zones whose clocks change in the data, at midnight in Beirut, by half an hour in Lord Howe, by two in Troll, and zones with odd offsets. */
export const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Santiago",
  "America/St_Johns",
  "Antarctica/Troll",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Australia/Adelaide",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Pacific/Chatham",
];

/** Values that the data has, values that it lacks, and characters that break patterns and quotes. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  path: ["/", "/pricing", "/a%b", "/a_b", "/x\\y", "/o'k", "/ä/ü", "/%C3%A4/%c3%bc", "%", "_", "Unknown", ""],
  title: ["Home", "Prices", "o", ""],
  entry_page: ["/", "/pricing", "/x\\y", "/p", "Unknown", ""],
  exit_page: ["/", "/a%b", "/o'k", "%", "Unknown", ""],
  referrer: ["https://g.example/a", "news.example", "example", "Direct", ""],
  referrer_source: ["g.example", "news", "Direct", ""],
  referrer_url: ["https://g.example/a", "own.example", "Direct"],
  referrer_group: ["search", "referral", "direct", ""],
  country: ["DE", "US", "D", "Unknown"],
  region: ["DE-1", "FR-2", "1"],
  city: ["Berlin", "Unknown", "r"],
  language: ["de-DE", "en", "Unknown"],
  timezone: ["Europe/Berlin", "America", "Unknown"],
  browser: ["Chrome", "Sa", "Unknown"],
  browser_version: ["120", "12", "Unknown"],
  os_name: ["Windows", "OS", "Unknown"],
  os_version: ["14", "15", "Unknown"],
  device_type: ["desktop", "mobile", "Unknown"],
  connection_type: ["4g", "wi", "Unknown"],
  screen_resolution: ["1920x1080", "x", "Unknown"],
  viewport_size: ["1200x700", "390", "Unknown"],
  utm_source: ["news", "NEWS", "n", "Unknown"],
  utm_medium: ["mail", "Mail", "M", "Unknown"],
  utm_campaign: ["spring", "autumn", "n", ""],
  utm_term: ["shoes", "Unknown"],
  utm_content: ["banner", "b", "Unknown"],
  event_name: ["screen_view", "buy", "buy%", "%"],
  event_type: ["page_view", "custom", "page", "page_exit"],
  session_id: ["s1", "s2", "s3000001", "Unknown"],
  anonymous_id: ["v1", "v3100002", "lone", "Unknown"],
  visitor_type: ["first", "returning", "re", "Unknown"],
  "properties.plan": ["pro", "free", "r", ""],
  "properties.a.b": ["x", ""],
  "properties.price": ["20", "2"],
  href: ["https://out.example/a", "out.", "%"],
  domain: ["out.example", "example"],
  text: ["Docs", "Unknown"],
  metric_name: ["LCP", "CLS", "C"],
  browser_name: ["Chrome", "Unknown"],
  message: ["Failed to fetch", "100% of_it's \\ wrong", "%", "'"],
  error_type: ["TypeError", "Error", "Unknown"],
};

const visitorFields = ["path", "country", "region", "browser_name", "os_name", "device_type", "session_id"];

/** Fields that select visits. */
const visitFields = [
  ...["entry_page", "exit_page", "referrer", "referrer_source", "referrer_url", "referrer_group", "country", "region"],
  ...["city", "language", "timezone", "browser", "browser_version", "os_name", "os_version", "device_type"],
  ...["connection_type", "screen_resolution", "viewport_size", "session_id", "anonymous_id"],
  ...["visitor_type", "visitor_type"],
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
];

/** Fields that select events; some more than once, to be asked as often as those of visits. */
const eventFields = [
  ...["path", "path", "path", "title", "event_name", "event_name", "event_type", "event_type"],
  ...["properties.plan", "properties.a.b", "properties.price"],
];

const fieldsOf: Readonly<Record<string, readonly (readonly string[])[]>> = {
  events: [visitFields, eventFields],
  outgoing_links: [visitFields, ["path", "href", "domain", "text", "properties.plan"]],
  performance_metrics: [[...visitorFields, "metric_name"], visitFields],
  script_errors: [[...visitorFields, "message", "error_type"], visitFields],
};

const operators = [
  ...["eq", "ne", "contains", "not_contains", "starts_with", "in", "not_in"],
  ...["ends_with", "matches", "is_empty", "is_not_empty"],
];

/** Parts of a pattern that stand for any characters, for one, and for themselves. */
const wildcards = ["*", "?", "*?", ".", "[a]"];

export function makeRandomQuery(type: QueryType, random: () => number): RandomQuery {
  const zone = pick(random, zones);
  const first = Math.floor(random() * 38);
  const days = 1 + Math.floor(random() ** 2 * 29);
  const start = dayText(first);
  const end = dayText(Math.min(first + days - 1, 41));
  return {
    type,
    start: random() < 0.25 ? `${start}T13:20:00` : start,
    end: random() < 0.25 ? `${dayText(first + days)}T${pick(random, ["02:30:00Z", "23:59:59.999Z", "16:00:00"])}` : end,
    zone,
    // In some zones 29 days and their last hours are more than the 30 days for which hours may be asked.
    unit: randomUnit(random(), days),
    filters: Array.from({ length: pick(random, [0, 0, 1, 1, 1, 2]) }, () => randomFilter(type.table, random)),
    limit: pick(random, [1, 3, 7, 100, 1_000]),
    page: pick(random, [1, 1, 1, 1, 2]),
  };
}

function randomUnit(part: number, days: number): RandomQuery["unit"] {
  if (part < 0.4 && days < 28) return "hour";
  if (part < 0.7) return "day";
  return part < 0.85 ? "week" : "month";
}

export function randomFilter(table: string, random: () => number): RandomQuery["filters"][number] {
  const field = pick(random, pick(random, fieldsOf[table] ?? []));
  const op = pick(random, operators);
  const isMany = op === "in" || op === "not_in";
  if (op === "is_empty" || op === "is_not_empty") return { field, op, values: [] };
  const isText = ["contains", "not_contains", "starts_with", "ends_with", "matches"].includes(op);
  // Whether "direct" is a text to search or stands for none is not defined.
  const values = (valuesOf[field] ?? []).filter((value) => !isText || (value !== "" && value !== "direct"));
  if (op === "matches") return { field, op, values: [randomPattern(pick(random, values), random)] };
  return { field, op, values: Array.from({ length: isMany ? 2 : 1 }, () => pick(random, values)) };
}

/** A pattern that matches a value, or nearly. */
function randomPattern(value: string, random: () => number): string {
  const at = Math.floor(random() * (value.length + 1));
  const end = at + Math.floor(random() * 3);
  return value.slice(0, at) + pick(random, wildcards) + value.slice(end);
}

/** A filter as a request has it. */
export function sentFilter({ field, op, values }: RandomQuery["filters"][number]) {
  return { field, op, ...(values.length === 0 ? {} : { value: [...values] }) };
}

/** Days from the first of March 2026 on. */
function dayText(day: number): string {
  return new Date(Date.UTC(2026, 2, 1 + day)).toISOString().slice(0, 10);
}
