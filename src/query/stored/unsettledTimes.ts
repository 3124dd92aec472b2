import type { Pool } from "pg";
import { sessionsVersion } from "../../aggregation/sessionsVersion.ts";
import type { App } from "../../app.ts";
import { sessionKindsSql } from "../../lifecycle/retention/kinds.ts";
import { oldestKeptMs } from "../../lifecycle/retention/periods.ts";
import type { TimeRange } from "../request/dates.ts";

/** Tells at which times of a range stored sessions of websites may differ from their events; undefined where they are not to be used. */
export type FindUnsettled = (
  websiteIds: readonly string[],
  range: TimeRange,
) => Promise<readonly TimeRange[] | undefined>;

/** Asks PostgreSQL. While it does not answer no stored session is used: that costs time, never a right answer. */
export function unsettledIn({ postgres, config, log }: Pick<App, "postgres" | "config" | "log">): FindUnsettled {
  return (websiteIds, range) =>
    readUnsettledTimes(postgres, websiteIds, range, { nowMs: Date.now(), ...config.retention }).catch(
      (error: unknown) => {
        log.warn({ err: error }, "PostgreSQL does not say which sessions are settled, so all are made of events");
        return undefined;
      },
    );
}

/** What decides whether stored sessions equal the events, besides what PostgreSQL knows. */
export type UnsettledOptions = {
  readonly nowMs: number;
  /** Days for which the service keeps raw events, and custom events, unless a website says otherwise. */
  readonly rawEventDays: number;
  readonly customEventDays: number;
};

/**
 * The times within a range at which stored sessions of these websites may differ from what their events make: hours that got events since
 * their day was corrected, what is being erased, what is past its retention, and days of which events went by a retention that was shorter or is that
 * of custom events. Shorter periods that are pending erase nothing before they hold. Undefined when stored sessions still have the form of an
 * older version.
 *
 * Read it before the stored sessions: a day is noted before its events can be read, so whatever was acknowledged by now is either in
 * the stored sessions or in these times. Rejects when PostgreSQL does not answer.
 */
export async function readUnsettledTimes(
  postgres: Pick<Pool, "query">,
  websiteIds: readonly string[],
  { startMs, endMs }: TimeRange,
  { nowMs, rawEventDays, customEventDays }: UnsettledOptions,
): Promise<readonly TimeRange[] | undefined> {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const values = [websiteIds, startMs, endMs, rawEventDays, customEventDays, today];
  const { rows } = await postgres.query<Found>({ name: "unsettled times", text: unsettledSql, values });
  const [first] = rows;
  if (first?.version !== sessionsVersion) return undefined;
  const times = rows.flatMap(({ fromMs, untilMs }) =>
    fromMs === null || untilMs === null ? [] : [{ startMs: fromMs, endMs: untilMs }],
  );
  const keptFromMs = first.keptDays === null ? endMs : oldestKeptMs(nowMs, first.keptDays);
  return keptFromMs > startMs ? [...times, { startMs, endMs: Math.min(keptFromMs, endMs) }] : times;
}

type Found = {
  readonly version: number;
  readonly keptDays: number | null;
  readonly fromMs: number | null;
  readonly untilMs: number | null;
};

const unsettledSql = `
  WITH kept AS (
    SELECT min(least(coalesce(raw_events_days, $4::int), coalesce(custom_events_days, $5::int))) AS days FROM websites WHERE id = ANY($1)
  ), unsettled AS (
    SELECT extract(epoch FROM day)::float8 * 1000 AS from_ms, extract(epoch FROM day + 1)::float8 * 1000 AS until_ms
    FROM touched_days
    WHERE website_id = ANY($1) AND whole_at IS NOT NULL AND extract(epoch FROM day) * 1000 > $2::float8 - 86400000
      AND extract(epoch FROM day) * 1000 < $3::float8
    UNION ALL
    SELECT extract(epoch FROM hour)::float8 * 1000, extract(epoch FROM hour)::float8 * 1000 + 3600000 FROM touched_hours
    WHERE website_id = ANY($1) AND hour > to_timestamp($2::float8 / 1000) - interval '1 hour' AND hour < to_timestamp($3::float8 / 1000)
    UNION ALL
    SELECT DISTINCT extract(epoch FROM day)::float8 * 1000, extract(epoch FROM day + 1)::float8 * 1000 FROM retention_erased CROSS JOIN kept
    WHERE website_id = ANY($1) AND kind = ANY(${sessionKindsSql})
      AND day >= greatest($6::date - kept.days, (to_timestamp($2::float8 / 1000) AT TIME ZONE 'UTC')::date)
      AND day <= (to_timestamp($3::float8 / 1000) AT TIME ZONE 'UTC')::date
    UNION ALL
    SELECT from_ms::float8, until_ms::float8 FROM erased_ranges
    WHERE website_id = ANY($1) AND closed_at IS NULL AND tables && ARRAY['events', 'outgoing_links', 'sessions']
      AND from_ms < $3::float8 AND until_ms > $2::float8)
  SELECT version, kept.days AS "keptDays", from_ms AS "fromMs", until_ms AS "untilMs" FROM sessions_version
  CROSS JOIN kept
  LEFT JOIN unsettled ON true`;
