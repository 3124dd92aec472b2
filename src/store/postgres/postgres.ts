import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import pg from "pg";
import type { Logger } from "pino";
import { retry } from "../../concurrency/retry.ts";
import type { Config } from "../../config.ts";
import { advisoryLocks } from "./advisoryLocks.ts";

/** Opens the pool. Connections are made on first use. */
export function openPostgres(settings: Config["postgres"], log: Logger): pg.Pool {
  const pool = new pg.Pool({ connectionString: settings.url, max: settings.poolSize, connectionTimeoutMillis: 5_000 });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "a PostgreSQL connection broke"));
  // So would one that breaks while it is lent and runs no statement: its next one rejects.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Waits for PostgreSQL, brings its tables up to date and then runs `firstStart`, all under one lock, so that many processes may start at
 * once. Rejects with the driver's error when PostgreSQL does not come within a minute, and with the signal's reason.
 */
export async function preparePostgres(
  pool: pg.Pool,
  log: Logger,
  stop: AbortSignal,
  firstStart: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await retry(() => pool.connect(), {
    leastWaitMs: 250,
    mostWaitMs: 1_000,
    patienceMs: 60_000,
    stop,
    onRetry: () => log.warn("waiting for PostgreSQL (DATABASE_URL)"),
  });
  try {
    await client.query("SELECT pg_advisory_lock($1)", [advisoryLocks.start]);
    await runner({
      dbClient: client,
      dir: fileURLToPath(new URL("./migrations", import.meta.url)),
      direction: "up",
      migrationsTable: "migrations",
      noLock: true,
      singleTransaction: true,
      logger: { info: (text) => log.debug(text), warn: (text) => log.warn(text), error: (text) => log.error(text) },
    });
    await firstStart(client);
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [advisoryLocks.start]).catch(() => undefined);
    client.release();
  }
}
