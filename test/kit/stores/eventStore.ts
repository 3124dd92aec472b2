import { setTimeout as pause } from "node:timers/promises";
import { execRequest } from "../../../src/store/questdb/execRequest.ts";
import type { ClickRow, EventRow } from "../random/randomEventRows.ts";
import type { AggregateRecord } from "./expectedRecords.ts";

type Cell = string | number | boolean | null;

/** Rows of one statement at QuestDB's `/exec`. */
export async function sql(questdbHttp: string, statement: string): Promise<Record<string, Cell>[]> {
  const { url, headers } = execRequest(questdbHttp, statement);
  const response = await fetch(url, { headers });
  const body: { error?: string; columns?: { name: string }[]; dataset?: Cell[][] } = await response.json();
  if (!response.ok) throw new Error(`${body.error} in ${statement.slice(0, 200)}`);
  const names = (body.columns ?? []).map(({ name }) => name);
  return (body.dataset ?? []).map((cells) => Object.fromEntries(cells.map((cell, index) => [names[index], cell])));
}

const eventColumns = [
  "website_id",
  "event_key",
  "event_type",
  "name",
  "visitor_key",
  "session_key",
  "path",
  "referrer_source",
  "time_on_page_ms",
] as const;

/** Inserts events with plain SQL and waits until queries see them. */
export async function insertEvents(questdbHttp: string, events: readonly EventRow[]): Promise<void> {
  await insert(questdbHttp, "events", eventColumns, events);
}

/** Inserts clicks on outgoing links with plain SQL and waits until queries see them. */
export async function insertClicks(questdbHttp: string, clicks: readonly ClickRow[]): Promise<void> {
  await insert(questdbHttp, "outgoing_links", ["website_id", "event_key", "session_key"], clicks);
}

async function insert<Column extends string>(
  questdbHttp: string,
  table: string,
  columns: readonly Column[],
  rows: readonly ({ readonly [C in Column]?: string | number | undefined } & { readonly tsUs: number })[],
): Promise<void> {
  // A statement is sent in a URL, which QuestDB accepts up to some 60 kB.
  for (let at = 0; at < rows.length; at += 100) {
    const values = rows
      .slice(at, at + 100)
      .map((row) => `(${row.tsUs}::timestamp, ${columns.map((name) => literal(row[name])).join(", ")})`);
    await sql(questdbHttp, `INSERT INTO ${table} (ts, ${columns.join(", ")}) VALUES ${values.join(", ")}`);
  }
  await isApplied(questdbHttp);
}

/** Waits until all written rows can be read. */
export async function isApplied(questdbHttp: string): Promise<void> {
  for (;;) {
    const [behind] = await sql(questdbHttp, "SELECT count() n FROM wal_tables() WHERE writerTxn < sequencerTxn");
    if (behind?.["n"] === 0) return;
    await pause(50);
  }
}

/** Records with views of a website and UTC day, sorted by page in code units. */
export async function readRecords(questdbHttp: string, websiteId: string, day: string): Promise<AggregateRecord[]> {
  await isApplied(questdbHttp);
  const rows = await sql(
    questdbHttp,
    `SELECT page, total_views, unique_visitors, avg_duration_seconds, bounce_rate, top_referrers FROM daily_aggregates
     WHERE website_id = '${websiteId}' AND ts = '${day}T00:00:00Z' AND total_views > 0`,
  );
  return rows
    .map((row) => ({
      page: String(row["page"]),
      total_views: Number(row["total_views"]),
      unique_visitors: Number(row["unique_visitors"]),
      avg_duration_seconds: Number(row["avg_duration_seconds"]),
      bounce_rate: Number(row["bounce_rate"]),
      top_referrers: JSON.parse(String(row["top_referrers"])),
    }))
    .sort((a, b) => (a.page < b.page ? -1 : 1));
}

function literal(value: string | number | undefined): string {
  if (value === undefined) return "null";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
