import pg from "pg";
import { inject } from "vitest";

/** Runs statements in the service's PostgreSQL. */
export async function inDatabase<T>(work: (database: pg.Client) => Promise<T>): Promise<T> {
  const database = new pg.Client({ connectionString: inject("lookout").databaseUrl });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
