import type pg from "pg";
import type { Logger } from "pino";
import { repeat } from "../../concurrency/poll.ts";
import { advisoryLocks } from "../postgres/advisoryLocks.ts";

/** Deletes expired claims of events and old idempotency keys, every hour until `signal` aborts. Any number of processes may do so. */
export async function deleteOldClaims(
  pool: pg.Pool,
  log: Pick<Logger, "warn" | "debug">,
  signal: AbortSignal,
  everyMs = hourMs,
): Promise<void> {
  const work = async () =>
    log.debug({ deleted: await deleteOnce(pool, signal) }, "old event claims and idempotency keys are deleted");
  await repeat(work, everyMs, signal, (error) =>
    log.warn({ err: error }, "old event claims or idempotency keys could not be deleted, trying again in an hour"),
  );
}

/**
 * Deletes in batches, so that claims do not wait long for a row or the disk. Resolves to the number deleted; 0 when
 * another process is doing it.
 */
async function deleteOnce(pool: pg.Pool, signal: AbortSignal): Promise<number> {
  const client = await pool.connect();
  let isDone = false;
  try {
    const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
      advisoryLocks.claimExpiry,
    ]);
    if (rows[0]?.locked !== true) {
      isDone = true;
      return 0;
    }
    let deleted = 0;
    for (const deletion of [deletionOf("event_claims", "claimed_at"), deletionOf("idempotency_keys", "kept_at")])
      for (let found = rowsAtOnce; found === rowsAtOnce && !signal.aborted; deleted += found)
        found = (await client.query(deletion, [rowsAtOnce])).rowCount ?? 0;
    await client.query("SELECT pg_advisory_unlock($1)", [advisoryLocks.claimExpiry]);
    isDone = true;
    return deleted;
  } finally {
    // Closing the connection releases the lock.
    client.release(!isDone);
  }
}

/** The age is checked twice, because a row that was found may be renewed before it is deleted. */
function deletionOf(table: string, since: string): string {
  return `DELETE FROM ${table} WHERE ${since} < now() - interval '24 hours' AND ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${since} < now() - interval '24 hours' LIMIT $1))`;
}

const hourMs = 3_600_000;
const rowsAtOnce = 10_000;
