import pg from "pg";
import { inject } from "vitest";

/** Runs statements in the service's PostgreSQL, or in another database. */
export async function inDatabase<T>(work: (database: pg.Client) => Promise<T>, databaseUrl?: string): Promise<T> {
  const database = new pg.Client({ connectionString: databaseUrl ?? inject("lookout").databaseUrl });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
