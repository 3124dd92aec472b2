import type { QuestdbReader, Row } from "../../src/store/questdb/questdbReader.ts";
import type { OracleRecords } from "./duckdbOracle.ts";

/** The stored records of websites in the form of the oracle, numbers as JSON writes them. */
export async function readStoredRecords(questdb: QuestdbReader, websiteIds: readonly string[]): Promise<OracleRecords> {
  const list = websiteIds.map((_, index) => `$${index + 1}`).join(", ");
  const sessions = await questdb.read(
    `SELECT *, started::long us FROM sessions WHERE website_id IN (${list}) AND last_activity_ms IS NOT NULL`,
    websiteIds,
  );
  const aggregates = await questdb.read(
    `SELECT * FROM daily_aggregates WHERE website_id IN (${list}) AND total_views > 0`,
    websiteIds,
  );
  return { sessions: sessions.map(sessionText), aggregates: aggregates.map(aggregateText) };
}

function sessionText(row: Row): string {
  return JSON.stringify({
    website_id: row["website_id"],
    session_key: row["session_key"],
    start: row["us"],
    last: row["last_activity_ms"],
    visitor: row["visitor_key"],
    session_id: row["session_id"],
    anonymous_id: row["anonymous_id"],
    pages: row["page_count"],
    seconds: row["duration_seconds"],
    entry: row["entry_page"],
    exit: row["exit_page"],
    utm_source: row["utm_source"],
    utm_campaign: row["utm_campaign"],
    country: row["country"],
  });
}

function aggregateText(row: Row): string {
  return JSON.stringify({
    website_id: row["website_id"],
    day: new Date(Number(row["ts"])).toISOString().slice(0, 10),
    page: row["page"],
    views: row["total_views"],
    visitors: row["unique_visitors"],
    seconds: row["avg_duration_seconds"],
    bounce_rate: row["bounce_rate"],
    referrers: JSON.parse(String(row["top_referrers"])),
  });
}
