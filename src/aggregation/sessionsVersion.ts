import type { Pool } from "pg";
import { tombstoneWebsiteId } from "../lifecycle/erasure/steps/tombstone.ts";
import type { QuestdbReader } from "../store/questdb/questdbReader.ts";
import { touchDays } from "./touchedDayQueue.ts";

/** The form of stored sessions that this version makes and reads. It changes with every column that queries take from them. */
export const sessionsVersion = 3;

/** Website-days of one statement. */
const daysAtOnce = 10_000;

/**
 * Once after stored sessions got another form: notes every website-day with events as touched, so that the correction makes its
 * sessions anew, and that from now on what is not noted has this form. Resolves to the number of days noted; stopped on the way, it
 * starts over with the next call.
 */
export async function renewOldSessions({
  questdb,
  postgres,
}: {
  readonly questdb: Pick<QuestdbReader, "read">;
  readonly postgres: Pick<Pool, "query">;
}): Promise<number> {
  const { rows: known } = await postgres.query<{ version: number }>("SELECT version FROM sessions_version");
  if (known[0]?.version === sessionsVersion) return 0;
  // Stored sessions whose events are gone are noted too, since theirs is the old form.
  const days = await questdb.read(
    `SELECT DISTINCT website_id, day FROM (${["events", "outgoing_links", "sessions"]
      .map((table) => `SELECT DISTINCT website_id, timestamp_floor('d', ts) AS day FROM ${table}`)
      .join(" UNION ALL ")}) WHERE website_id != null AND website_id != '${tombstoneWebsiteId}'`,
    [],
  );
  for (let from = 0; from < days.length; from += daysAtOnce) {
    const part = days.slice(from, from + daysAtOnce);
    await touchDays(
      postgres,
      part.map((row) => ({
        websiteId: String(row["website_id"]),
        day: new Date(Number(row["day"])).toISOString().slice(0, 10),
      })),
    );
  }
  await postgres.query("UPDATE sessions_version SET version = $1", [sessionsVersion]);
  return days.length;
}
