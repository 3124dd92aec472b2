import { NativeConnection, type Worker } from "@temporalio/worker";
import type { Logger } from "pino";
import { retry } from "../src/concurrency/retry.ts";
import type { Config } from "../src/config.ts";
import { exitCodes, StartFailure } from "../src/errors/startFailure.ts";

const giveUpAfterMs = 300_000;

/**
 * A connection for a worker, once `prepare` has succeeded on it. Waits while Temporal is starting; rejects with StartFailure when that
 * takes too long.
 */
export async function connectTemporal(
  { temporal }: Config,
  log: Logger,
  stop: AbortSignal,
  prepare: (connection: NativeConnection) => Promise<void>,
): Promise<NativeConnection> {
  const connect = async () => {
    const connection = await NativeConnection.connect({ address: temporal.address });
    try {
      await prepare(connection);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  };
  return await retry(connect, {
    minWaitMs: 250,
    maxWaitMs: 5_000,
    giveUpAfterMs,
    stop,
    onRetry: (error, waitMs) =>
      log.warn(
        { address: temporal.address, reason: reasonOf(error), waitMs },
        "Temporal is not ready yet; trying again. If this continues, check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE",
      ),
  }).catch((error: unknown) => {
    stop.throwIfAborted();
    throw new StartFailure(
      `Temporal did not answer within ${giveUpAfterMs / 60_000} minutes: ${reasonOf(error)}. ` +
        `Start it, or correct TEMPORAL_ADDRESS (${temporal.address}) and TEMPORAL_NAMESPACE (${temporal.namespace}).`,
      exitCodes.failed,
    );
  });
}

/** Temporal's client says what failed, and in its cause why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** Runs the workers until `stop`. Sends a parent process `{ready: {}}` when all workers poll. */
export async function workUntil(stop: AbortSignal, workers: readonly Worker[], log: Logger): Promise<void> {
  const running = Promise.all(workers.map((worker) => worker.run()));
  const shutdown = () => {
    for (const worker of workers) worker.shutdown();
  };
  if (stop.aborted) shutdown();
  else stop.addEventListener("abort", shutdown, { once: true });
  for (const { options } of workers)
    log.info({ taskQueue: options.taskQueue, namespace: options.namespace }, "The worker polls for work");
  if (process.connected) process.send?.({ ready: {} });
  await running;
}
