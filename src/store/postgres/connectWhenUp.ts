import type pg from "pg";
import { retry } from "../../concurrency/retry.ts";
import { hasCode } from "../../errors/errorCode.ts";
import { exitCodes, StartFailure } from "../../errors/startFailure.ts";

/** PostgreSQL's codes (SQLSTATE) for a wrong user or password, and for a database that does not exist. */
const refusals = ["28P01", "28000", "3D000"];

/**
 * A connection as soon as PostgreSQL gives one. Rejects with StartFailure when it refuses DATABASE_URL for good and after `giveUpAfterMs`,
 * and with the signal's reason.
 */
export async function connectWhenUp(
  pool: Pick<pg.Pool, "connect">,
  stop: AbortSignal,
  { giveUpAfterMs = Number.POSITIVE_INFINITY, onRetry = (): void => undefined } = {},
): Promise<pg.PoolClient> {
  const options = { minWaitMs: 250, maxWaitMs: 1_000, giveUpAfterMs, isFinal: isRefusal, stop, onRetry };
  return await retry(() => pool.connect(), options).catch((error: unknown) => {
    stop.throwIfAborted();
    throw isRefusal(error) ? refused(error) : silent(error, giveUpAfterMs);
  });
}

function isRefusal(error: unknown): error is Error {
  return hasCode(error, ...refusals);
}

function refused({ message }: Error): StartFailure {
  return new StartFailure(`PostgreSQL refuses DATABASE_URL: ${message}. Correct its user, password or database.`);
}

function silent(error: unknown, afterMs: number): StartFailure {
  return new StartFailure(
    `PostgreSQL (DATABASE_URL) did not answer within ${afterMs / 1_000} s: ${reasonOf(error)}. Start it, or correct DATABASE_URL.`,
    exitCodes.failed,
  );
}

/** A name with several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
