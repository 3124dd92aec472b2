import type { ReadWebsite } from "./countRows.ts";
import type { GroupFacts, IdFacts, SpreadFacts } from "./facts.ts";
import { groupDays } from "./facts.ts";

/** The tables with ids of visitors as they were sent or made; sessions are computed from them. */
const tablesWithIds = ["events", "outgoing_links", "script_errors"] as const;

/** What identifies a visitor: the session, where no id of the visitor was sent. */
const id = "coalesce(anonymous_id, session_id)";
const hasId = "(anonymous_id IS NOT NULL OR session_id IS NOT NULL)";

/**
 * How many ids a website has, how many of them were sent, and the longest time that one was seen. The service makes ids of
 * 8 characters, and only for events without an id of a session (src/ingest/steps.ts).
 */
export async function countIds(readWebsite: ReadWebsite): Promise<IdFacts> {
  const rows = tablesWithIds.map(
    (table) => `SELECT ts, ${id} AS id, session_id FROM ${table} WHERE website_id = $1 AND ${hasId}`,
  );
  const [row] = await readWebsite(
    `SELECT count() "ids", max(seen_us) "longest",
       sum(CASE WHEN sessions = 0 AND id ~ '^[A-Za-z0-9_-]{8}$' THEN 0 ELSE 1 END) "sent"
     FROM (SELECT id, max(ts)::long - min(ts)::long AS seen_us, count(session_id) AS sessions
       FROM (${rows.join(" UNION ALL ")}) GROUP BY id)`,
  );
  return {
    ids: Number(row?.["ids"]),
    sent: Number(row?.["sent"] ?? 0),
    longestMs: Math.round(Number(row?.["longest"] ?? 0) / 1_000),
  };
}

/** How many ids of a website occur in the events of these others too, and on how many websites the most frequent does. */
export async function countSpread(
  readWebsite: ReadWebsite,
  others: readonly string[],
  isWhole: boolean,
): Promise<SpreadFacts> {
  if (others.length === 0) return { shared: 0, mostWebsites: 1, isWhole };
  const places = others.map((_, index) => `$${index + 2}`).join(", ");
  const [row] = await readWebsite(
    `SELECT count() "shared", max(websites) "most" FROM (
       SELECT own.id AS id, count_distinct(other.website_id) AS websites
       FROM (SELECT DISTINCT ${id} AS id FROM events WHERE website_id = $1 AND ${hasId}) own
       JOIN (SELECT DISTINCT ${id} AS id, website_id FROM events
         WHERE website_id IN (${places}) AND ${hasId}) other ON own.id = other.id
       GROUP BY id)`,
    others,
  );
  return { shared: Number(row?.["shared"]), mostWebsites: 1 + Number(row?.["most"] ?? 0), isWhole };
}

/** Fields of page views by which the app and queries group visitors. */
export const groupFields = ["country", "region", "city", "path", "referrer_source", "browser"] as const;

/** The fewest visitors of one value of each field in the days before `nowMs`. */
export async function countGroups(readWebsite: ReadWebsite, nowMs: number): Promise<GroupFacts[]> {
  const fromMs = nowMs - groupDays * 86_400_000;
  const found = await Promise.all(
    groupFields.map(async (field): Promise<GroupFacts[]> => {
      const [row] = await readWebsite(
        `SELECT min(visitors) "visitors" FROM (SELECT ${field}, count_distinct(visitor_key) AS visitors FROM events
         WHERE website_id = $1 AND ts >= $2 AND ts < $3 AND event_type = 'page_view' AND ${field} IS NOT NULL GROUP BY ${field})`,
        [fromMs * 1_000, nowMs * 1_000],
        { startMs: fromMs, endMs: nowMs },
      );
      const visitors = row?.["visitors"];
      return visitors == null ? [] : [{ field, visitors: Number(visitors) }];
    }),
  );
  return found.flat();
}
