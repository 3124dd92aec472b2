import type { Pool } from "pg";
import type { Logger } from "pino";
import { repeat } from "../concurrency/poll.ts";

/** A shorter interruption is none: it says little about a day, and restarts would fill the table. */
const interruptionMs = 3_600_000;

const everyMs = 60_000;

/**
 * Records each minute, until `signal` aborts, that this process takes events, from when it began. While PostgreSQL does not answer events are
 * taken all the same, and the next record makes up for that.
 */
export async function recordServing(
  postgres: Pick<Pool, "query">,
  log: Pick<Logger, "warn">,
  signal: AbortSignal,
): Promise<void> {
  let sinceMs = Date.now();
  const record = async () => {
    const nowMs = Date.now();
    await recordServingTime(postgres, sinceMs, nowMs);
    sinceMs = nowMs;
  };
  await repeat(record, everyMs, signal, (error) =>
    log.warn({ err: error }, "it could not be recorded that events are taken"),
  );
}

/** Records that events were taken from one time to another, Unix ms. */
export async function recordServingTime(postgres: Pick<Pool, "query">, fromMs: number, untilMs: number): Promise<void> {
  await postgres.query(
    `WITH latest AS (SELECT from_at FROM serving_times ORDER BY until_at DESC LIMIT 1), renewed AS (
       UPDATE serving_times SET until_at = greatest(until_at, to_timestamp($2::float8 / 1000)) FROM latest
       WHERE serving_times.from_at = latest.from_at AND until_at > to_timestamp(($1::float8 - $3::float8) / 1000)
       RETURNING until_at)
     INSERT INTO serving_times SELECT to_timestamp($1::float8 / 1000), to_timestamp($2::float8 / 1000)
     WHERE NOT EXISTS (SELECT FROM renewed) ON CONFLICT DO NOTHING`,
    [fromMs, untilMs, interruptionMs],
  );
}
