import { oldestKeptMs } from "../../../retention/periods.ts";
import type { TimeRange } from "../../../time/dates.ts";
import type { QueryCall } from "../../queryCall.ts";
import { findEventRecord } from "../../unknown/eventRecord.ts";
import { firstDayMs } from "../../unknown/firstDay.ts";
import type { EventRecord } from "../../unknown/unknownTimes.ts";

/** A website by itself: its time zone and what is stored about its events. */
export type WebsiteFacts = {
  readonly id: string;
  /** An IANA name. */
  readonly timezone: string;
  readonly record: Omit<EventRecord, "readMs">;
};

/** The facts of websites, each by itself; what is unknown within the range is in their records. Rejects with the driver's error. */
export async function findWebsiteFacts(
  websiteIds: readonly string[],
  range: TimeRange,
  app: Pick<QueryCall["app"], "postgres" | "config" | "log">,
): Promise<WebsiteFacts[]> {
  const values = [websiteIds, range.startMs, range.endMs];
  const [together, { rows }] = await Promise.all([
    findEventRecord(websiteIds, range, app),
    app.postgres.query<Found>({ name: "website facts", text: factsSql, values }),
  ]);
  const nowMs = Date.now();
  return rows.map(({ id, timezone, firstHourMs, keptDays, erased, expired }) => ({
    id,
    timezone,
    record: {
      firstMs: firstHourMs === null ? undefined : firstDayMs([[timezone, firstHourMs]]),
      keptFromMs: oldestKeptMs(nowMs, keptDays ?? app.config.retention.rawEventDays),
      erased: rangesOf(erased),
      expired: rangesOf(expired),
      // The same for all websites.
      notRecorded: together?.notRecorded ?? [],
    },
  }));
}

type Pairs = readonly (readonly [startMs: number, endMs: number])[] | null;

function rangesOf(pairs: Pairs): TimeRange[] {
  return (pairs ?? []).map(([startMs, endMs]) => ({ startMs, endMs }));
}

/** Times are Unix ms. */
type Found = {
  readonly id: string;
  readonly timezone: string;
  readonly firstHourMs: number | null;
  readonly keptDays: number | null;
  readonly erased: Pairs;
  readonly expired: Pairs;
};

const factsSql = `
  SELECT id, timezone, extract(epoch FROM first_event_at)::float8 * 1000 AS "firstHourMs", raw_events_days AS "keptDays",
    (SELECT json_agg(json_build_array(from_ms, until_ms)) FROM erased_ranges
      WHERE website_id = websites.id AND visitor_key IS NULL AND 'events' = ANY(tables) AND from_ms < $3::float8 AND until_ms > $2::float8) AS erased,
    (SELECT json_agg(json_build_array(extract(epoch FROM day) * 1000, extract(epoch FROM day + 1) * 1000)) FROM retention_erased
      WHERE website_id = websites.id AND kind = 'events' AND day >= (to_timestamp($2::float8 / 1000) AT TIME ZONE 'UTC')::date
        AND day <= (to_timestamp($3::float8 / 1000) AT TIME ZONE 'UTC')::date) AS expired
  FROM websites WHERE id = ANY($1)`;
