import type { BoundValue, QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { storedValue } from "../../kit/stores/sampleRows.ts";

/** A row of any table as plain values; `ts` is Unix ms. */
export type RawRow = { readonly ts: number } & Readonly<Record<string, BoundValue>>;

export const rawTables = ["events", "performance_metrics", "script_errors", "llm_calls"] as const;

export type RawRows = Readonly<Record<(typeof rawTables)[number], readonly RawRow[]>>;

/**
 * Rows of all tables, of one website unless `websiteIds` names more, from `fromMs` on over `lengthMs`; no two of a table share a time.
 * Sessions are shorter than 30 minutes.
 */
export function rawRows(
  random: () => number,
  { websiteIds, organizationId, fromMs, lengthMs }: Owner & { fromMs: number; lengthMs: number },
): RawRows {
  const rows = { events: events(random), performance_metrics: figures(random), script_errors: errors(random) };
  const calls = llmCalls(random).map((row) => ({ ...row, organization_id: organizationId }));
  const placed = (list: readonly Columns[]) =>
    list.map((row, index) => {
      const ts = fromMs + Math.floor((index * lengthMs) / list.length);
      return { ts, website_id: pick(random, websiteIds), event_key: index + 1, ...row, ...sessionAt(ts, row) };
    });
  return {
    events: placed(rows.events),
    performance_metrics: placed(rows.performance_metrics),
    script_errors: placed(rows.script_errors),
    llm_calls: placed(calls),
  };
}

/** A session of a visitor for each 20 minutes, so that none lasts 30 minutes without an event. */
function sessionAt(ts: number, { visitor_key: visitor }: Columns): Columns {
  if (visitor === undefined) return {};
  const session_key = Number(visitor ?? 0) + 1_000 * Math.floor(ts / 1_200_000);
  return { session_key, session_id: `s${session_key}` };
}

type Owner = { readonly websiteIds: readonly (string | null)[]; readonly organizationId: string };
type Columns = Readonly<Record<string, BoundValue>>;

function visitor(random: () => number): Columns {
  const number = 1 + Math.floor(random() * 40);
  const country = pick(random, ["DE", "US", null]);
  const browser = pick(random, ["Chrome", "Safari", null]);
  const os = pick(random, ["macOS", "Windows", "Linux", null]);
  return {
    visitor_key: random() < 0.1 ? null : number,
    path: pick(random, ["/", "/a", "/b'c", null]),
    country,
    region: country === null ? null : pick(random, ["North", "South"]),
    browser,
    os,
    device: pick(random, ["desktop", "mobile", null]),
  };
}

const city = (random: () => number, row: Columns) =>
  row["country"] === null ? null : pick(random, ["Berlin", "Springfield", null]);
const browserVersion = (random: () => number, row: Columns) =>
  row["browser"] === null ? null : pick(random, ["17", "130", null]);
const osVersion = (random: () => number, row: Columns) => (row["os"] === null ? null : pick(random, ["10", null]));

function events(random: () => number): Columns[] {
  return Array.from({ length: 600 }, () => {
    const row = visitor(random);
    const event_type = pick(random, ["page_view", "page_view", "custom", "page_exit"]);
    return {
      ...row,
      city: city(random, row),
      browser_version: browserVersion(random, row),
      os_version: osVersion(random, row),
      event_type,
      name: event_type === "custom" ? pick(random, ["buy", "sign_up"]) : event_type,
      referrer_source: pick(random, ["google.com", "", null]),
    };
  });
}

function figures(random: () => number): Columns[] {
  const names = [
    "load_time",
    "dom_ready_time",
    "render_time",
    "TTFB",
    "LCP",
    "FCP",
    "CLS",
    "INP",
    "resource_load_time",
  ];
  return Array.from({ length: 1_500 }, () => {
    const row = visitor(random);
    const metric_type = pick(random, names);
    const value = metric_type === "CLS" ? random() ** 3 : 20 + Math.floor(random() ** 3 * 9_000);
    return { ...row, city: city(random, row), metric_type, value };
  });
}

function errors(random: () => number): Columns[] {
  return Array.from({ length: 200 }, (_, index) => {
    const row = visitor(random);
    return {
      ...row,
      anonymous_id: `v${index % 40}`,
      message: pick(random, ["x is not a function", "Network error", "it's over"]),
      error_type: pick(random, ["TypeError", "Error", null]),
      filename: pick(random, ["https://example.com/app.js", null]),
      line_number: pick(random, [0, 12, null]),
      column_number: pick(random, [7, null]),
      stack: pick(random, ["at a\n at b", null]),
      browser_version: browserVersion(random, row),
      os_version: osVersion(random, row),
    };
  });
}

function llmCalls(random: () => number): Columns[] {
  return Array.from({ length: 800 }, () => {
    const failed = random() < 0.15;
    const input = Math.floor(random() * 5_000);
    const tools = pick(random, [null, ["search"], ["search", "search", 'a","b'], ["read", "ä\\"]]);
    const model = pick(random, ["gpt-4o", "claude", "it's"]);
    return {
      provider: model === "gpt-4o" ? "openai" : pick(random, ["anthropic", "other"]),
      model,
      call_type: pick(random, ["generate", "stream", null]),
      finish_reason: pick(random, ["stop", "length", null]),
      input_tokens: input,
      output_tokens: 100,
      total_tokens: random() < 0.1 ? null : input + 100,
      cached_input_tokens: pick(random, [null, 0, 40]),
      web_search_count: pick(random, [null, 0, 2]),
      total_cost_usd: random() < 0.1 ? null : Math.round(random() * 1e6) / 1e9,
      duration_ms: 50 + Math.floor(random() ** 2 * 30_000),
      http_status: failed ? pick(random, [429, 500, null]) : 200,
      tool_call_count: tools?.length ?? null,
      tool_result_count: tools === null ? null : 1,
      tool_names: tools === null ? null : JSON.stringify(tools),
      error_name: failed ? pick(random, ["RateLimitError", "Error"]) : null,
      error_message: failed ? `failed ${Math.floor(random() * 1e6)}` : null,
      error_stack: failed ? "at call" : null,
      trace_id: pick(random, ["t1", "t2", "t3", null]),
    };
  });
}

/** Puts rows straight into QuestDB, since ingestion would change what they hold. */
export async function insertRaw(questdb: QuestdbReader, rows: RawRows): Promise<void> {
  for (const table of rawTables)
    for (let start = 0; start < rows[table].length; start += 100) {
      const part = rows[table].slice(start, start + 100);
      const names = Object.keys(part[0] ?? {});
      const values = part.flatMap((row) =>
        names.map((name) => (name === "ts" ? new Date(row.ts).toISOString() : storedValue(row[name]))),
      );
      const tuples = part.map(
        (_, row) => `(${names.map((_, column) => `$${row * names.length + column + 1}`).join(", ")})`,
      );
      await questdb.read(`INSERT INTO ${table} (${names.join(", ")}) VALUES ${tuples.join(", ")}`, values);
    }
}
