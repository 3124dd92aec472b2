import type { Pool } from "pg";
import type { Logger } from "pino";
import { retry } from "../concurrency/retry.ts";
import { ConfigError } from "../config.ts";
import type { Keyring } from "./keyring.ts";

/**
 * Part of the start of a worker: makes sure that the keys that are set open the secrets. Waits until PostgreSQL answers
 * and an API process has prepared it, and resolves without an answer when `stop` aborts. Rejects with ConfigError for a
 * wrong key.
 */
export async function checkKeys(
  postgres: Pick<Pool, "query">,
  keyring: Keyring,
  log: Pick<Logger, "warn">,
  stop: AbortSignal,
): Promise<void> {
  let isLogged = false;
  const isFinal = (error: unknown) => error instanceof ConfigError;
  const check = async () => {
    if (!(await keyring.check(postgres))) throw new Error("no API process has prepared PostgreSQL yet");
  };
  const onRetry = (error: unknown) => {
    if (!isLogged) log.warn({ err: error }, "the keys of the encrypted secrets cannot be checked yet");
    isLogged = true;
  };
  await retry(check, { minWaitMs: 250, maxWaitMs: 5_000, isFinal, stop, onRetry }).catch((error: unknown) => {
    if (isFinal(error)) throw error;
  });
}
