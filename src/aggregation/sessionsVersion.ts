import { crc32 } from "node:zlib";
import type { Pool } from "pg";
import type { Questdbs } from "../store/questdb/questdbs.ts";
import { sessionPlaces } from "../store/questdb/sessionPlace.ts";
import { columnsOfTable } from "../store/questdb/tables.ts";
import { tombstoneWebsiteId } from "../store/questdb/tombstone.ts";
import { utcDayOf } from "../time/utcDay.ts";
import { contextColumns } from "./sessionContext.ts";
import { inactivityMs } from "./sessions.ts";
import { noteFirstEvents, touchDays } from "./touchedDayQueue.ts";

/**
 * The form of stored sessions that this version makes and reads: a number that changes by itself with what defines them. Where only the
 * meaning of a stored value changes, raise `meaning`.
 */
export const sessionsVersion =
  crc32(
    JSON.stringify({
      meaning: 4,
      inactivityMs,
      columns: columnsOfTable.sessions,
      contextColumns,
      sessionPlaces,
    }),
  ) >>> 1;

/** Website-days per statement. */
const daysAtOnce = 10_000;

/**
 * Runs once after the format of stored sessions has changed: marks every website-day with events as touched, so that
 * its sessions are recomputed. From then on every day that is not marked has the new format. Resolves to the number of
 * days marked. If interrupted, the next call starts over.
 */
export async function renewOldSessions({
  questdb,
  postgres,
}: {
  readonly questdb: Pick<Questdbs, "nodeOfEach">;
  readonly postgres: Pick<Pool, "query">;
}): Promise<number> {
  const { rows: known } = await postgres.query<{ version: number }>("SELECT version FROM sessions_version");
  if (known[0]?.version === sessionsVersion) return 0;
  // Stored sessions whose events are gone still have the old format, so their days are marked too.
  const sql = `SELECT DISTINCT website_id, day FROM (${["events", "outgoing_links", "sessions"]
    .map((table) => `SELECT DISTINCT website_id, timestamp_floor('d', ts) AS day FROM ${table}`)
    .join(" UNION ALL ")}) WHERE website_id != null AND website_id != '${tombstoneWebsiteId}'`;
  const nodes = await questdb.nodeOfEach();
  const days = (await Promise.all(nodes.map(({ reader }) => reader.read(sql, [])))).flat();
  for (let from = 0; from < days.length; from += daysAtOnce) {
    const part = days.slice(from, from + daysAtOnce);
    const touched = part.map((row) => ({
      websiteId: String(row["website_id"]),
      day: utcDayOf(Number(row["day"])),
    }));
    await touchDays(postgres, touched);
    await noteFirstEvents(postgres, touched);
  }
  await postgres.query("UPDATE sessions_version SET version = $1", [sessionsVersion]);
  return days.length;
}
