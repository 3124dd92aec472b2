import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { KeyDirectory } from "../access/keyDirectory.ts";

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
  let isLast = false;
  while (!isLast) {
    await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    isLast = signal.aborted;
    const used = keys.takeUsed();
    if (used.length === 0) continue;
    await postgres
      // One order everywhere, so that two processes cannot deadlock on each other's rows.
      .query(
        "UPDATE api_keys SET last_used_at = now() WHERE id IN (SELECT id FROM api_keys WHERE id = ANY($1) ORDER BY id FOR UPDATE)",
        [used],
      )
      .catch((error: unknown) => log.warn({ err: error }, "the last use of API keys could not be recorded"));
  }
}
