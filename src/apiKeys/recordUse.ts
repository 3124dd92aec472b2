import type { Pool } from "pg";
import type { Logger } from "pino";
import type { KeyDirectory } from "../access/keyDirectory.ts";
import { flushEvery } from "../concurrency/poll.ts";

/**
 * Records every `everyMs`, and once more when `signal` aborts, when the keys that this process saw were last used.
 * Recording each use would be a write per request; a minute is precise enough to find unused keys.
 */
export async function recordUse(
  keys: KeyDirectory,
  postgres: Pick<Pool, "query">,
  log: Pick<Logger, "warn">,
  signal: AbortSignal,
  everyMs: number,
): Promise<void> {
  const record = async () => {
    const used = keys.takeUsed();
    if (used.length === 0) return;
    // One order everywhere, so that two processes cannot deadlock on each other's rows.
    await postgres.query(
      "UPDATE api_keys SET last_used_at = now() WHERE id IN (SELECT id FROM api_keys WHERE id = ANY($1) ORDER BY id FOR UPDATE)",
      [used],
    );
  };
  await flushEvery(record, everyMs, signal, (error) =>
    log.warn({ err: error }, "the last use of API keys could not be recorded"),
  );
}
