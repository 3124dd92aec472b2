import type { Pool, PoolClient } from "pg";

/** Runs `work` in a PostgreSQL transaction and commits it. Rolls back and rethrows if it throws. */
export async function inTransaction<T>(
  postgres: Pick<Pool, "connect">,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await postgres.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
