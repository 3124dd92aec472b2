import type { Pool } from "pg";
import { within } from "../../concurrency/within.ts";
import type { Config } from "../../config.ts";
import { oldestKeptMs } from "../../retention/periods.ts";
import type { TimeRange } from "../../time/dates.ts";
import type { QueryCall } from "../queryCall.ts";
import { type FirstHour, firstDayMs } from "./firstDay.ts";
import type { EventRecord, RowRecord } from "./unknownTimes.ts";

/**
 * What is stored about the events of these websites. Of several: since the first event of any of them, within the longest retention, without
 * interruptions, and without what was erased of one of them. Undefined while PostgreSQL does not answer.
 */
export async function findEventRecord(
  websiteIds: readonly string[],
  range: TimeRange,
  { config, log, postgres }: Pick<QueryCall["app"], "postgres" | "config" | "log">,
): Promise<EventRecord | undefined> {
  try {
    const found = readEventRecord(postgres, websiteIds, range, config.retention);
    return await within(config.postgres.lookUpTimeoutMs, found);
  } catch (error) {
    log.warn(
      { err: error },
      "it could not be read since when events are stored, so days without events are answered as zero",
    );
    return undefined;
  }
}

async function readEventRecord(
  postgres: Pick<Pool, "query">,
  websiteIds: readonly string[],
  { startMs, endMs }: TimeRange,
  { rawEventDays, aggregatedDays, performanceDays }: Config["retention"],
): Promise<EventRecord> {
  const { rows } = await postgres.query<Found>({
    name: "event record",
    text: eventRecordSql,
    values: [websiteIds, rawEventDays, startMs, endMs],
  });
  const [first] = rows;
  const readMs = Date.now();
  const figuresFromMs = first?.figuresFromMs ?? undefined;
  const recordOf = (table: string, keptDays: number): RowRecord => ({
    keptFromMs: oldestKeptMs(readMs, keptDays),
    expired: rangesOf(rows, "retention", table),
    erased: rangesOf(rows, "erased", table),
  });
  const rawDays = first?.keptDays ?? rawEventDays;
  return {
    ...recordOf("events", rawDays),
    readMs,
    ofTables: {
      script_errors: recordOf("script_errors", rawDays),
      performance_metrics: recordOf("performance_metrics", first?.performanceDays ?? performanceDays),
      excluded_traffic: {
        ...recordOf("excluded_traffic", first?.aggregatedDays ?? aggregatedDays),
        firstMs: first?.excludedFromMs ?? undefined,
      },
    },
    firstMs: firstDayMs(first?.firstHours ?? []),
    dailyFromMs:
      figuresFromMs === undefined
        ? undefined
        : Math.max(figuresFromMs, oldestKeptMs(readMs, first?.aggregatedDays ?? aggregatedDays)),
    notRecorded: rangesOf(rows, "not_recorded", null),
  };
}

function rangesOf(rows: readonly Found[], wanted: string, ofTable: string | null): TimeRange[] {
  return rows.flatMap(({ reason, table, fromMs, untilMs }) =>
    reason !== wanted || table !== ofTable || fromMs === null || untilMs === null
      ? []
      : [{ startMs: fromMs, endMs: untilMs }],
  );
}

type Found = {
  readonly reason: string | null;
  readonly table: string | null;
  readonly firstHours: readonly FirstHour[] | null;
  readonly keptDays: number | null;
  readonly performanceDays: number | null;
  readonly aggregatedDays: number | null;
  readonly figuresFromMs: number | null;
  readonly excludedFromMs: number | null;
  readonly fromMs: number | null;
  readonly untilMs: number | null;
};

const eventRecordSql = `
  WITH kept AS (
    SELECT max(coalesce(raw_events_days, $2::int)) AS days, max(aggregated_days) AS aggregated_days,
      max(performance_days) AS performance_days,
      extract(epoch FROM CASE WHEN count(*) = 1 THEN min(figures_from) END)::float8 * 1000 AS figures_ms, extract(epoch FROM min(excluded_from))::float8 * 1000 AS excluded_ms, count(*) AS websites
    FROM websites WHERE id = ANY($1)
  ), started AS (
    SELECT timezone, extract(epoch FROM min(first_event_at))::float8 * 1000 AS hour_ms FROM websites
    WHERE id = ANY($1) AND first_event_at IS NOT NULL GROUP BY timezone
  ), lost AS (
    SELECT 'erased' AS reason, of_table, from_ms::float8, until_ms::float8 FROM erased_ranges CROSS JOIN unnest(tables) AS of_table
    WHERE website_id = ANY($1) AND visitor_key IS NULL AND of_table IN ('events', 'script_errors', 'performance_metrics', 'excluded_traffic') AND from_ms < $4::float8 AND until_ms > $3::float8
    UNION ALL
    SELECT DISTINCT 'retention', CASE kind WHEN 'errors' THEN 'script_errors' WHEN 'performance' THEN 'performance_metrics' WHEN 'excluded' THEN 'excluded_traffic' ELSE kind END, extract(epoch FROM day)::float8 * 1000, extract(epoch FROM day + 1)::float8 * 1000 FROM retention_erased
    WHERE website_id = ANY($1) AND kind IN ('events', 'errors', 'performance', 'excluded') AND day >= (to_timestamp($3::float8 / 1000) AT TIME ZONE 'UTC')::date
      AND day <= (to_timestamp($4::float8 / 1000) AT TIME ZONE 'UTC')::date
    UNION ALL
    SELECT 'not_recorded', null, extract(epoch FROM before_at)::float8 * 1000, extract(epoch FROM from_at)::float8 * 1000 FROM (
      SELECT from_at, max(until_at) OVER (ORDER BY from_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_at FROM serving_times
    ) AS served WHERE before_at < from_at AND from_at > to_timestamp($3::float8 / 1000) AND before_at < to_timestamp($4::float8 / 1000))
  SELECT reason, of_table AS "table", performance_days AS "performanceDays", (SELECT json_agg(json_build_array(timezone, hour_ms)) FROM started) AS "firstHours", kept.days AS "keptDays", aggregated_days AS "aggregatedDays", figures_ms AS "figuresFromMs", excluded_ms AS "excludedFromMs", from_ms AS "fromMs", until_ms AS "untilMs" FROM kept
  LEFT JOIN lost ON websites = 1 OR reason = 'not_recorded'`;
