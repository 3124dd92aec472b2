import { Bindings } from "../../src/query/sql/bindings.ts";
import { liveVisitsSql } from "../../src/query/visits/liveVisits.ts";
import { visitorType, visitTexts } from "../../src/query/visits/visitColumns.ts";
import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { sessionPlaces, sessionPlaceUs } from "../../src/store/questdb/sessionPlace.ts";
import { dayMs } from "../../src/time/utcDay.ts";

/** Those that a stored session holds. */
const texts = visitTexts.filter((text) => text !== visitorType);

/**
 * Stores the sessions of many websites with a statement for each UTC day: the one with which answers compute visits from events. The
 * correction, which works on one website after the other, needs an hour for as many.
 */
export async function storeSessionsInBulk(
  questdb: Pick<QuestdbReader, "read">,
  websiteIds: readonly string[],
  { firstMs, days }: { readonly firstMs: number; readonly days: number },
): Promise<void> {
  await questdb.read("DROP TABLE IF EXISTS bench_places", []);
  await questdb.read("CREATE TABLE bench_places (website_id VARCHAR, place_us LONG)", []);
  for (let from = 0; from < websiteIds.length; from += 100) {
    const some = websiteIds.slice(from, from + 100);
    const rows = some.map((id) => `('${id}', ${sessionPlaceUs(id, 0)})`);
    await questdb.read(`INSERT INTO bench_places VALUES ${rows.join(", ")}`, []);
  }
  for (let day = 0; day < days; day += 1) {
    const startMs = firstMs + day * dayMs;
    const bindings = new Bindings();
    const window = { startMs: startMs - dayMs, endMs: startMs + 2 * dayMs };
    const visits = liveVisitsSql({ websiteIds, range: window }, window, texts, bindings);
    const shown = texts.map((text) => `v.${text} AS ${text}`).join(", ");
    const place = `(${startMs}000 + place_us + (v.began - ${startMs}000) / ${sessionPlaces.usPerPlace})::timestamp`;
    await questdb.read(
      `INSERT INTO sessions (ts, started, session_key, visitor_key, last_activity_ms, page_count, action_count, click_count, duration_seconds, ${texts.join(", ")}) ` +
        `SELECT * FROM (SELECT ${place} AS ts, v.started AS started, v.session_key AS session_key, v.visitor_key AS visitor_key, v.last / 1000 AS last_activity_ms, ` +
        `v.page_views AS page_count, v.actions AS action_count, v.clicks AS click_count, v.seconds AS duration_seconds, ${shown} ` +
        `FROM (${visits}) v JOIN bench_places p ON v.website_id = p.website_id WHERE v.began >= ${startMs}000 AND v.began < ${startMs + dayMs}000) ORDER BY ts`,
      bindings.values,
    );
  }
  await questdb.read("DROP TABLE bench_places", []);
}
