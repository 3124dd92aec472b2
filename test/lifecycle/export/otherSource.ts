import type pg from "pg";
import type { BoundValue, QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import type { TestWebsite } from "../../kit/calls/website.ts";
import type { ExportedRow, Kinds } from "./exportedRows.ts";

/** Texts that each format has to write in its own way. */
const odd = ['He said "hi", then left', "two\r\nlines\tand \\ back", "=1+1", "/päge/😀", "a;b", "'+1"];

/** A file of an export: its columns, the names of those that are stored under another one, and what distinguishes rows of the same time. */
export type OtherFile = {
  readonly kinds: Kinds;
  readonly stored: Readonly<Record<string, string>>;
  /** Columns that are not exported, with their values by the index of the row. */
  readonly hidden?: (index: number, websiteId: unknown) => Readonly<Record<string, BoundValue>>;
};

const browser = { browser_name: "browser", os_name: "os", device_type: "device", timestamp: "ts" };
const place = { country: "text", region: "text", browser_name: "text" } as const;

/** Rows of the same time have the same event key in twos, so that the second key decides. */
const eventKey = (index: number) => ({ event_key: Math.floor(index / 2) });

/** Each website has its own. */
const organizationOf = (websiteId: unknown) => `of ${websiteId ?? "no website"}`;

/** The files of the data that are no events, by name. */
export const otherFiles = {
  excluded_traffic: {
    kinds: {
      website_id: "text",
      timestamp: "timestamp",
      reason: "text",
      kind: "text",
      name: "text",
      operator: "text",
      events: "integer",
    },
    stored: { timestamp: "ts" },
    hidden: (index) => ({ event_key: index }),
  },
  performance_metrics: {
    kinds: {
      website_id: "text",
      session_id: "text",
      timestamp: "timestamp",
      metric_type: "text",
      value: "number",
      path: "text",
      country: "text",
      region: "text",
      city: "text",
      browser_name: "text",
      os_name: "text",
      device_type: "text",
    },
    stored: browser,
    hidden: eventKey,
  },
  script_errors: {
    kinds: {
      event_id: "text",
      website_id: "text",
      anonymous_id: "text",
      session_id: "text",
      timestamp: "timestamp",
      message: "text",
      error_type: "text",
      filename: "text",
      line_number: "integer",
      column_number: "integer",
      stack: "text",
      path: "text",
      ...place,
      browser_version: "text",
      os_name: "text",
      os_version: "text",
      device_type: "text",
    },
    stored: browser,
    hidden: (index) => ({ event_key: index }),
  },
  llm_calls: {
    kinds: {
      event_id: "text",
      website_id: "text",
      timestamp: "timestamp",
      provider: "text",
      model: "text",
      call_type: "text",
      finish_reason: "text",
      input_tokens: "integer",
      output_tokens: "integer",
      total_tokens: "integer",
      cached_input_tokens: "integer",
      cache_creation_input_tokens: "integer",
      reasoning_tokens: "integer",
      web_search_count: "integer",
      input_cost_usd: "number",
      output_cost_usd: "number",
      total_cost_usd: "number",
      duration_ms: "number",
      http_status: "integer",
      tool_call_count: "integer",
      tool_result_count: "integer",
      tool_names: "json",
      error_name: "text",
      error_message: "text",
      error_stack: "text",
      trace_id: "text",
    },
    stored: { timestamp: "ts" },
    hidden: (index, websiteId) => ({ event_key: index, organization_id: organizationOf(websiteId) }),
  },
  link_clicks: {
    kinds: {
      link_id: "text",
      website_id: "text",
      timestamp: "timestamp",
      country: "text",
      region: "text",
      city: "text",
      browser_name: "text",
      os_name: "text",
      device_type: "text",
      language: "text",
      referrer_source: "text",
      target_website_id: "text",
      target_path: "text",
    },
    stored: browser,
    hidden: (index, websiteId) => ({
      ...eventKey(index),
      visitor_key: index,
      organization_id: organizationOf(websiteId),
    }),
  },
  uptime_checks: {
    kinds: {
      monitor_id: "text",
      website_id: "text",
      scheduled_at: "timestamp",
      timestamp: "timestamp",
      finished_at: "timestamp",
      probe_region: "text",
      status: "text",
      slot_status: "text",
      slot_count: "integer",
      interval_ms: "integer",
      http_code: "integer",
      dns_ms: "number",
      connect_ms: "number",
      tls_ms: "number",
      ttfb_ms: "number",
      total_ms: "number",
      response_bytes: "integer",
      ssl_valid: "integer",
      ssl_expiry: "timestamp",
      attempts: "integer",
      error: "text",
    },
    stored: {
      scheduled_at: "ts",
      timestamp: "started_ms",
      finished_at: "finished_ms",
      probe_region: "region",
      ssl_expiry: "ssl_expiry_ms",
    },
  },
} as const satisfies Readonly<Record<string, OtherFile>>;

export type OtherTable = keyof typeof otherFiles;

export const otherTables = Object.keys(otherFiles) as readonly OtherTable[];

/** Symbols of QuestDB are never erased, so only few values are in them. */
const symbols = /^(country|region|city|browser_|os_|device_|status|slot_status|target_website_id|reason|kind)/;

const keysAt: Readonly<Record<string, (index: number, websiteId: string) => string>> = {
  metric_type: (index) => ["FCP", "LCP"][index % 2] ?? "",
  link_id: (index, websiteId) => `link ${index % 2} of ${websiteId}`,
  monitor_id: (index) => `monitor-${Math.floor(index / 2) % 2}`,
  probe_region: (index) => ["eu west", "us"][index % 2] ?? "",
};

/** Rows as an export must show them, in its order: four share a time each, and each column that may be null is null in some. */
export function otherRows(table: OtherTable, count: number, websiteId: string, fromMs: number): ExportedRow[] {
  const { kinds, stored }: OtherFile = otherFiles[table];
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(
      Object.entries(kinds).map(([column, kind], place) => {
        const at = index * 7 + place;
        const key = keysAt[column];
        const atMs = fromMs + Math.floor(index / 4) * 1_000;
        if (column === "website_id") return [column, websiteId];
        if (key !== undefined) return [column, key(index, websiteId)];
        if (stored[column] === "ts") return [column, atMs];
        if (at % 5 === 0) return [column, null];
        if (kind === "timestamp") return [column, atMs + at];
        if (kind === "json") return [column, ["search", 'quo"te']];
        if (kind === "integer") return [column, at];
        // QuestDB keeps some as single-precision numbers.
        if (kind === "number") return [column, at / 8];
        return [column, symbols.test(column) ? `${column} ${at % 3}` : odd[at % odd.length]];
      }),
    ),
  );
}

/** Writes rows of a table into QuestDB, the latest first. */
export async function insertOthers(questdb: QuestdbReader, table: OtherTable, rows: readonly ExportedRow[]) {
  const { stored, hidden }: OtherFile = otherFiles[table];
  const all = rows.map((row, index) => {
    const columns = Object.entries(row).map(([name, value]): [string, BoundValue] => {
      const column = stored[name] ?? name;
      if (column === "ts") return [column, new Date(Number(value)).toISOString()];
      return [
        column,
        value === null || typeof value === "number" ? value : typeof value === "string" ? value : JSON.stringify(value),
      ];
    });
    return { ...Object.fromEntries(columns), ...hidden?.(index, row["website_id"]) };
  });
  for (let end = all.length; end > 0; end -= 25) {
    const part = all.slice(Math.max(0, end - 25), end);
    const names = Object.keys(part[0] ?? {});
    const tuples = part.map((_, row) => `(${names.map((_, at) => `$${row * names.length + at + 1}`).join(", ")})`);
    await questdb.read(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES ${tuples.join(", ")}`,
      part.flatMap((row) => names.map((name) => Reflect.get(row, name) ?? null)),
    );
  }
}

export const incidentKinds: Kinds = {
  incident_id: "text",
  monitor_id: "text",
  website_id: "text",
  started_at: "timestamp",
  opened_at: "timestamp",
  resolved_at: "timestamp",
  first_error: "text",
  checks_affected: "integer",
  regions: "json",
  acknowledged_at: "timestamp",
  acknowledged_by: "text",
};

/**
 * Writes incidents of two monitors of a website, one of which was deleted, into PostgreSQL. Two begin at a time each, and every fifth one
 * lasts. Resolves to them as an export must show them, in its order.
 */
export async function insertIncidents(
  postgres: pg.Pool,
  { websiteId, organizationId }: TestWebsite,
  count: number,
  fromMs: number,
): Promise<ExportedRow[]> {
  const monitors = [`${websiteId}-a`, `${websiteId}-b`];
  for (const [index, id] of monitors.entries())
    await postgres.query(
      `INSERT INTO monitors (id, website_id, organization_id, url, interval_ms, phase_ms, timeout_ms, cache_bust, options, status, notified_revision, deleted_at)
       VALUES ($1, $2, $3, 'https://shop.invalid/', 60000, 0, 1000, false, '{}', 'stopped', 1, $4)`,
      [id, websiteId, organizationId, index === 0 ? null : new Date()],
    );
  const incidents = Array.from({ length: count }, (_, index) => {
    const monitorId = monitors[index % 2];
    const startedMs = fromMs + Math.floor(index / 2) * 1_000 + 7;
    return {
      incident_id: `${monitorId}/${startedMs}`,
      monitor_id: monitorId,
      website_id: websiteId,
      started_at: startedMs,
      opened_at: index % 3 === 0 ? null : startedMs + 1,
      resolved_at: index % 5 === 0 ? null : startedMs + 500,
      first_error: index === 1 ? "" : (odd[index % odd.length] ?? ""),
      checks_affected: index,
      regions: ["eu", 'quo"te'],
      acknowledged_at: index % 2 === 0 ? null : startedMs + 2,
      acknowledged_by: index % 2 === 0 ? null : "Ada \\ Lovelace",
    };
  });
  const at = (ms: number | null) => (ms === null ? null : new Date(ms));
  for (const each of incidents.toReversed())
    await postgres.query(
      `INSERT INTO incidents (id, monitor_id, started_at, opened_at, resolved_at, first_error, checks_affected, regions, acknowledged_at, acknowledged_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        each.incident_id,
        each.monitor_id,
        at(each.started_at),
        at(each.opened_at),
        at(each.resolved_at),
        each.first_error,
        each.checks_affected,
        each.regions,
        at(each.acknowledged_at),
        each.acknowledged_by,
      ],
    );
  return incidents;
}
