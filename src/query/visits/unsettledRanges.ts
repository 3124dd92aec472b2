import type { Pool } from "pg";
import { sessionsVersion } from "../../aggregation/sessionsVersion.ts";
import { within } from "../../concurrency/within.ts";
import type { Config } from "../../config.ts";
import { sessionKindsSql } from "../../retention/kinds.ts";
import { oldestKeptMs } from "../../retention/periods.ts";
import type { TimeRange } from "../../time/dates.ts";
import type { QueryCall } from "../queryCall.ts";

/**
 * Finds the dirty ranges of websites within a range: there stored sessions may differ from their events. Undefined when
 * stored sessions must not be used.
 */
export type FindUnsettledRanges = (
  websiteIds: readonly string[],
  range: TimeRange,
) => Promise<readonly TimeRange[] | undefined>;

/** Reads PostgreSQL. While it does not answer no stored session is used: answers take longer but stay right. */
export function unsettledRangesIn({
  postgres,
  config,
  log,
}: Pick<QueryCall["app"], "postgres" | "config" | "log">): FindUnsettledRanges {
  return (websiteIds, range) =>
    within(config.postgres.lookUpTimeoutMs, readUnsettledRanges(postgres, websiteIds, range, config.retention)).catch(
      (error: unknown) => {
        log.warn({ err: error }, "the dirty ranges could not be read, so sessions are computed from events");
        return undefined;
      },
    );
}

/**
 * The dirty ranges of these websites, where stored sessions may differ from what their events give:
 * - hours that got events since their day was last corrected, and days touched as a whole;
 * - ranges that are being erased;
 * - days past their retention, and days that lost events to a shorter retention or to that of custom events.
 *
 * A shorter period that is still pending erases nothing yet. Undefined when stored sessions still have the format of an
 * older version.
 *
 * Read this before the stored sessions: a day is marked as touched before its events become readable, so everything
 * acknowledged by now is either in the stored sessions or in these ranges. Rejects when PostgreSQL does not answer.
 */
async function readUnsettledRanges(
  postgres: Pick<Pool, "query">,
  websiteIds: readonly string[],
  { startMs, endMs }: TimeRange,
  { rawEventDays, customEventDays }: Config["retention"],
): Promise<readonly TimeRange[] | undefined> {
  const nowMs = Date.now();
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
