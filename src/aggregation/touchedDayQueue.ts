import pLimit, { type LimitFunction } from "p-limit";
import type { Pool, PoolClient } from "pg";
import { advisoryLocks } from "../store/postgres/advisoryLocks.ts";

/** A UTC day (YYYY-MM-DD) of a website whose sessions and aggregates must be recomputed from events: a dirty range. */
export type TouchedDay = { readonly websiteId: string; readonly day: string };

/** An hour of a website that gets events; `hourMs` is its start, Unix ms. */
export type TouchedHour = { readonly websiteId: string; readonly hourMs: number };

/** Notes the start of websites that have events between `from_at` and `until_at` of `oldest`; see the column websites.first_event_at. */
const moveFirstEvents = `
  UPDATE websites SET first_event_at = earlier.from_at FROM (
    SELECT id, oldest.from_at FROM websites JOIN oldest ON id = oldest.website_id
    WHERE first_event_at IS NULL OR first_event_at >= oldest.until_at ORDER BY id FOR NO KEY UPDATE OF websites
  ) earlier WHERE websites.id = earlier.id`;

/**
 * Queues whole days for correction. All of such a day may have changed, so none of its stored sessions are used until
 * then.
 */
export async function touchDays(postgres: Pick<Pool, "query">, days: readonly TouchedDay[]): Promise<void> {
  if (days.length === 0) return;
  // One order everywhere, so that two processes cannot deadlock on each other's rows.
  await postgres.query(
    `INSERT INTO touched_days (website_id, day, touched_at, whole_at)
     SELECT website_id, day, clock_timestamp(), clock_timestamp() FROM unnest($1::text[], $2::date[]) AS touched (website_id, day)
     ORDER BY website_id, day
     ON CONFLICT (website_id, day) DO UPDATE SET touched_at = clock_timestamp(), whole_at = clock_timestamp()`,
    [days.map(({ websiteId }) => websiteId), days.map(({ day }) => day)],
  );
}

/**
 * Queues the days of these hours for correction. Stored sessions that touch none of the hours stay in use.
 *
 * An hour that another process marked within the last second is not marked again: `settleMs` covers that second too. So the writes of
 * a website do not grow with the number of processes.
 */
export async function touchHours(postgres: Pick<Pool, "query">, hours: readonly TouchedHour[]): Promise<void> {
  if (hours.length === 0) return;
  // The day is marked last: a day marked before some time implies that its hours were marked before that time too.
  await postgres.query(
    `WITH oldest AS (
       SELECT website_id, to_timestamp(min(hour_ms) / 1000) AS from_at, to_timestamp(min(hour_ms) / 1000) + interval '1 hour' AS until_at
       FROM unnest($1::text[], $2::float8[]) AS touched (website_id, hour_ms) GROUP BY website_id
     ), first AS (
       ${moveFirstEvents}
     ), hours AS (
       INSERT INTO touched_hours (website_id, hour, touched_at)
       SELECT website_id, to_timestamp(hour_ms / 1000), clock_timestamp() FROM unnest($1::text[], $2::float8[]) AS touched (website_id, hour_ms)
       ORDER BY website_id, hour_ms
       ON CONFLICT (website_id, hour) DO UPDATE SET touched_at = clock_timestamp()
         WHERE touched_hours.touched_at < clock_timestamp() - interval '1 second'
       RETURNING website_id, (hour AT TIME ZONE 'UTC')::date AS day
     ), days AS MATERIALIZED (SELECT DISTINCT website_id, day FROM hours)
     INSERT INTO touched_days (website_id, day, touched_at, whole_at) SELECT website_id, day, clock_timestamp(), null FROM days
     ORDER BY website_id, day
     ON CONFLICT (website_id, day) DO UPDATE SET touched_at = clock_timestamp()`,
    [hours.map(({ websiteId }) => websiteId), hours.map(({ hourMs }) => hourMs)],
  );
}

/** Notes on which days websites have events. */
export async function noteFirstEvents(postgres: Pick<Pool, "query">, days: readonly TouchedDay[]): Promise<void> {
  await postgres.query(
    `WITH oldest AS (
       SELECT website_id, min(day)::timestamp AT TIME ZONE 'UTC' AS from_at, (min(day) + 1)::timestamp AT TIME ZONE 'UTC' AS until_at
       FROM unnest($1::text[], $2::date[]) AS touched (website_id, day) GROUP BY website_id
     ) ${moveFirstEvents}`,
    [days.map(({ websiteId }) => websiteId), days.map(({ day }) => day)],
  );
}

/**
 * The days queued for correction, longest waiting first, at most `limit`.
 *
 * A day is due until it was corrected after its last mark, and once more `settleMs` after that mark: the rows that the
 * mark announced may have become visible only then. `settleMs` must be longer than a row can take from the mark until
 * it can be read.
 */
export async function readTouchedDays(
  postgres: Pick<Pool, "query">,
  settleMs: number,
  limit: number,
): Promise<TouchedDay[]> {
  const { rows } = await postgres.query<TouchedDay>(
    `SELECT website_id AS "websiteId", to_char(day, 'YYYY-MM-DD') AS day FROM touched_days WHERE ${isDue("$1")}
     ORDER BY processed_at NULLS FIRST, touched_at LIMIT $2`,
    [settleMs, limit],
  );
  return rows;
}

/** Whether a day will be corrected, now or again. */
export async function isQueued(postgres: Pick<Pool, "query">, { websiteId, day }: TouchedDay): Promise<boolean> {
  const { rows } = await postgres.query("SELECT 1 FROM touched_days WHERE website_id = $1 AND day = $2", [
    websiteId,
    day,
  ]);
  return rows.length > 0;
}

/**
 * Runs `work` to correct a day and then takes the day off the queue. Resolves to false without running `work` when
 * another process has the day or has just corrected it. Rejects with the error of `work`; the day then stays in the
 * queue.
 */
export async function takeTouchedDay(
  postgres: HoldingPool,
  touched: TouchedDay,
  settleMs: number,
  work: () => Promise<void>,
): Promise<boolean> {
  return await onHoldingClient(postgres, async (client) => {
    if (!(await take(client, touched, settleMs))) return false;
    await work();
    await finish(client, touched, settleMs);
    await unlock(client, touched);
    return true;
  });
}

/**
 * Runs `work`, which reads the events of days and writes what it computes from them, while whenDaysAreFree waits for
 * it. Several may hold a day at once, but it is not corrected meanwhile.
 */
export async function holdDays<T>(
  postgres: HoldingPool,
  days: readonly TouchedDay[],
  work: () => Promise<T>,
): Promise<T> {
  const values = [advisoryLocks.touchedDay, days.map(lockName)];
  return await onHoldingClient(postgres, async (client) => {
    await client.query("SELECT pg_advisory_lock_shared($1, hashtext(name)) FROM unnest($2::text[]) AS name", values);
    const result = await work();
    await client.query("SELECT pg_advisory_unlock_shared($1, hashtext(name)) FROM unnest($2::text[]) AS name", values);
    return result;
  });
}

/**
 * Resolves when no process holds these days any more: everything computed from events that were read before the call
 * is written.
 */
export async function whenDaysAreFree(
  postgres: HoldingPool & Pick<Pool, "query">,
  days: readonly TouchedDay[],
): Promise<void> {
  for (const touched of days)
    await holderLimit(postgres)(() =>
      postgres.query("SELECT pg_advisory_lock($1, hashtext($2)), pg_advisory_unlock($1, hashtext($2))", [
        advisoryLocks.touchedDay,
        lockName(touched),
      ]),
    );
}

/** A pool of which work on days holds connections. */
type HoldingPool = Pick<Pool, "connect" | "options">;

const limits = new WeakMap<HoldingPool, LimitFunction>();

/**
 * Limits who holds a day, or waits for one, to half of the pool: each has a connection all the time and takes a second one now and then. If
 * they had all connections none could go on, and nothing else in the process either.
 */
function holderLimit(postgres: HoldingPool): LimitFunction {
  const limit = limits.get(postgres) ?? pLimit(Math.max(1, Math.floor(postgres.options.max / 2)));
  limits.set(postgres, limit);
  return limit;
}

/** Runs `work` with a connection of its own. Closes it if `work` rejects, which releases the locks that it holds. */
async function onHoldingClient<T>(postgres: HoldingPool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return await holderLimit(postgres)(async () => {
    const client = await postgres.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  });
}

const lockName = ({ websiteId, day }: TouchedDay) => `${websiteId} ${day}`;

const isDue = (settleMs: string) => `(processed_at IS NULL OR touched_at > processed_at OR
  (processed_at < ${settled(settleMs)} AND clock_timestamp() >= ${settled(settleMs)}))`;

const settled = (settleMs: string, since = "touched_at") => `${since} + ${settleMs} * interval '1 millisecond'`;

async function take(client: PoolClient, touched: TouchedDay, settleMs: number): Promise<boolean> {
  const { websiteId, day } = touched;
  // Two simultaneous corrections could leave the result of the one that read first.
  const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1, hashtext($2)) AS locked", [
    advisoryLocks.touchedDay,
    lockName(touched),
  ]);
  if (rows[0]?.locked !== true) return false;
  // A previous owner that did not finish may have writes in flight, so what it corrected counts as touched now.
  await client.query(
    `UPDATE touched_hours SET touched_at = clock_timestamp() WHERE ${isHourOfDay}
       AND EXISTS (SELECT FROM touched_days WHERE website_id = $1 AND day = $2 AND taken_at IS NOT NULL)`,
    [websiteId, day],
  );
  const { rowCount } = await client.query(
    `UPDATE touched_days SET taken_at = clock_timestamp(),
       touched_at = CASE WHEN taken_at IS NULL THEN touched_at ELSE clock_timestamp() END,
       whole_at = CASE WHEN taken_at IS NULL OR whole_at IS NULL THEN whole_at ELSE clock_timestamp() END
     WHERE website_id = $2 AND day = $3 AND ${isDue("$1")}`,
    [settleMs, websiteId, day],
  );
  if (rowCount !== 1) await unlock(client, touched);
  return rowCount === 1;
}

async function unlock(client: PoolClient, touched: TouchedDay): Promise<void> {
  await client.query("SELECT pg_advisory_unlock($1, hashtext($2))", [advisoryLocks.touchedDay, lockName(touched)]);
}

/** The hours of the UTC day $2 of the website $1. */
const isHourOfDay = `website_id = $1 AND hour >= $2::date::timestamp AT TIME ZONE 'UTC'
  AND hour < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'`;

async function finish(client: PoolClient, { websiteId, day }: TouchedDay, settleMs: number): Promise<void> {
  // The rows that these hours announced were visible when the correction began.
  await client.query(
    `DELETE FROM touched_hours WHERE ${isHourOfDay} AND ${settled("$3")} <=
       (SELECT taken_at FROM touched_days WHERE website_id = $1 AND day = $2)`,
    [websiteId, day, settleMs],
  );
  const { rowCount } = await client.query(
    `DELETE FROM touched_days WHERE website_id = $2 AND day = $3 AND taken_at >= ${settled("$1")}`,
    [settleMs, websiteId, day],
  );
  if (rowCount === 1) return;
  await client.query(
    `UPDATE touched_days SET processed_at = taken_at, taken_at = NULL,
       whole_at = CASE WHEN taken_at >= ${settled("$3", "whole_at")} THEN null ELSE whole_at END
     WHERE website_id = $1 AND day = $2`,
    [websiteId, day, settleMs],
  );
}
