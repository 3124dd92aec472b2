import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { StartFailure } from "../../errors/startFailure.ts";
import { hasTraces } from "../../observability/traces.ts";
import { advisoryLocks } from "./advisoryLocks.ts";
import { connectWhenUp } from "./connectWhenUp.ts";
import { traceStatements } from "./tracedStatements.ts";

const migrations = fileURLToPath(new URL("./migrations", import.meta.url));

export type PoolOptions = Pick<Config["postgres"], "url" | "poolSize"> & {
  /** Limits the wait for a connection. */
  readonly connectTimeoutMs?: number;
  /** Limits the wait for an answer to a statement; without it a statement may take as long as it needs. */
  readonly queryTimeoutMs?: number;
};

/** Opens the pool. Connections are made on first use. */
export function openPostgres(
  { url, poolSize, connectTimeoutMs = 5_000, queryTimeoutMs }: PoolOptions,
  log: Pick<Logger, "warn">,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "a PostgreSQL connection broke"));
  // Same for a connection in use that is between two statements: without a listener the process would end; its next
  // statement rejects.
  pool.on("connect", (client) => client.on("error", () => undefined));
  if (hasTraces()) traceStatements(pool);
  return pool;
}

/**
 * Waits for PostgreSQL, migrates its tables and then runs `firstStart`. All of it runs under one lock, so that many
 * processes may start at once. Rejects with StartFailure when PostgreSQL is not reachable within a minute, refuses DATABASE_URL, or
 * belongs to another version, and with the signal's reason.
 */
export async function preparePostgres(
  pool: pg.Pool,
  log: Logger,
  stop: AbortSignal,
  firstStart: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await connectWhenUp(pool, stop, {
    giveUpAfterMs: 60_000,
    onRetry: () => log.warn("waiting for PostgreSQL (DATABASE_URL)"),
  });
  try {
    await client.query("SELECT pg_advisory_lock($1)", [advisoryLocks.start]);
    await refuseUnknownMigrations(client);
    await migrate(client, log);
    await firstStart(client);
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [advisoryLocks.start]).catch(() => undefined);
    client.release();
  }
}

/**
 * Waits for PostgreSQL and checks that its tables are not those of a newer version; changes nothing. Rejects with StartFailure when they
 * are or PostgreSQL refuses DATABASE_URL, and with the signal's reason.
 */
export async function checkDatabase(pool: pg.Pool, stop: AbortSignal): Promise<void> {
  const client = await connectWhenUp(pool, stop);
  try {
    await refuseUnknownMigrations(client);
  } finally {
    client.release();
  }
}

/** Runs the migrations that are missing, or only the first `count` of them. */
export async function migrate(
  client: pg.PoolClient,
  log: Pick<Logger, "debug" | "warn" | "error">,
  count = Number.POSITIVE_INFINITY,
): Promise<void> {
  // Only the API and a restore run migrations.
  const { runner } = await import("node-pg-migrate");
  await runner({
    dbClient: client,
    dir: migrations,
    direction: "up",
    count,
    migrationsTable,
    noLock: true,
    singleTransaction: true,
    logger: { info: (text) => log.debug(text), warn: (text) => log.warn(text), error: (text) => log.error(text) },
  });
}

/** The names of all migrations of this version, in their order. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(migrations)).map((file) => file.replace(/\.sql$/, "")).sort();
}

/** The table in which node-pg-migrate records the migrations that were run. */
const migrationsTable = "migrations";

/** Throws StartFailure when another version has run migrations that this one does not have. Nothing is changed. */
export async function refuseUnknownMigrations(client: pg.ClientBase): Promise<void> {
  const known = new Set(await migrationNames());
  const { rows: tables } = await client.query("SELECT FROM pg_tables WHERE tablename = $1", [migrationsTable]);
  if (tables.length === 0) return;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${migrationsTable} ORDER BY id`);
  const unknown = rows.find(({ name }) => !known.has(name));
  if (unknown === undefined) return;
  throw new StartFailure(
    `The PostgreSQL database belongs to another version of Lookout, a newer one or one before 0.2.0: it has the migration ${unknown.name}. ` +
      "Nothing was changed. Start the version that made it, or set DATA_DIR (or DATABASE_URL) to an empty one.",
  );
}
