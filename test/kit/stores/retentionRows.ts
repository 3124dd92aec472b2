import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { timeColumnOf } from "../../../src/store/questdb/rowTime.ts";
import { sessionPlaceUs } from "../../../src/store/questdb/sessionPlace.ts";
import { type TableName, type TableRow, tableNames } from "../../../src/store/questdb/tables.ts";

export const dayMs = 86_400_000;

/** A row as tests name it: website, kind and time. */
export type TestRow = { readonly websiteId: string | undefined; readonly kind: string; readonly tsUs: number };

/** A row of each kind of data, by the name that answers give the kind. */
const makers: Record<string, (websiteId: string | undefined, tsUs: number) => TableRow> = {
  events: (websiteId, tsUs) => eventRow(websiteId, tsUs, "page_view"),
  custom_events: (websiteId, tsUs) => eventRow(websiteId, tsUs, "custom"),
  outgoing_links: (websiteId = "", tsUs) => ({
    table: "outgoing_links",
    tsUs,
    values: { website_id: websiteId, event_key: 1, href: "https://elsewhere.example/" },
  }),
  sessions: (websiteId = "", tsUs) => ({
    table: "sessions",
    tsUs: sessionPlaceUs(websiteId, tsUs),
    values: { website_id: websiteId, session_key: 1, started: tsUs, last_activity_ms: tsUs / 1_000, page_count: 1 },
  }),
  errors: (websiteId = "", tsUs) => ({
    table: "script_errors",
    tsUs,
    values: { website_id: websiteId, event_key: 1, message: "broken" },
  }),
  llm_calls: (websiteId, tsUs) => ({
    table: "llm_calls",
    tsUs,
    values: { organization_id: websiteId ?? "retention-test", event_key: 1, website_id: websiteId, model: "m" },
  }),
  performance: (websiteId = "", tsUs) => ({
    table: "performance_metrics",
    tsUs,
    values: { website_id: websiteId, event_key: 1, metric_type: "LCP", value: 1_200 },
  }),
  aggregated: (websiteId = "", tsUs) => ({
    table: "daily_aggregates",
    tsUs,
    values: { website_id: websiteId, page: "/", total_views: 7, unique_visitors: 3 },
  }),
  excluded: (websiteId = "", tsUs) => ({
    table: "excluded_traffic",
    tsUs,
    values: { website_id: websiteId, event_key: 1, reason: "bot", kind: "search_engine", name: "Googlebot", events: 3 },
  }),
  link_clicks: (websiteId, tsUs) => ({
    table: "link_clicks",
    tsUs,
    values: { link_id: websiteId ?? "retention-test", event_key: 1, website_id: websiteId },
  }),
  uptime: (websiteId = "", tsUs) => ({
    table: "uptime_checks",
    tsUs,
    values: { website_id: websiteId, monitor_id: "m", region: "local", status: "up", slot_status: "up", slot_count: 1 },
  }),
};

export const kindNames = Object.keys(makers);

export function storedRow({ websiteId, kind, tsUs }: TestRow): TableRow {
  const make = makers[kind];
  if (make === undefined) throw new Error(`There is no kind ${kind}`);
  return make(websiteId, tsUs);
}

function eventRow(websiteId = "", tsUs: number, kind: string): TableRow {
  const values = {
    website_id: websiteId,
    event_key: kind === "custom" ? 2 : 1,
    event_type: kind,
    name: kind,
    path: "/",
  };
  return { table: "events", tsUs, values };
}

const kindOf: Record<TableName, string> = {
  events: "CASE WHEN event_type = 'custom' THEN 'custom_events' ELSE 'events' END",
  outgoing_links: "'outgoing_links'",
  sessions: "'sessions'",
  script_errors: "'errors'",
  llm_calls: "'llm_calls'",
  performance_metrics: "'performance'",
  daily_aggregates: "'aggregated'",
  daily_figures: "'daily_figures'",
  excluded_traffic: "'excluded'",
  link_clicks: "'link_clicks'",
  uptime_checks: "'uptime'",
};

/** The rows of these websites in QuestDB, as sorted texts. */
export async function readRows(questdb: QuestdbReader, websiteIds: readonly string[]): Promise<string[]> {
  const names = websiteIds.map((_, index) => `$${index + 1}`).join(", ");
  const found = await Promise.all(
    tableNames.map((table) =>
      questdb.read(
        `SELECT website_id::varchar website_id, ${kindOf[table]} kind, ${timeColumnOf(table)}::long us FROM ${table} WHERE website_id IN (${names})`,
        websiteIds,
      ),
    ),
  );
  return found
    .flat()
    .map((row) => `${row["website_id"]} ${row["kind"]} ${new Date(Number(row["us"]) / 1_000).toISOString()}`)
    .sort();
}

/** A row as readRows returns it. */
export const shown = ({ websiteId, kind, tsUs }: TestRow): string =>
  `${websiteId} ${kind} ${new Date(tsUs / 1_000).toISOString()}`;
