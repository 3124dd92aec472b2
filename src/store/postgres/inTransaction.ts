import type { Pool, PoolClient } from "pg";

/** Runs `work` in a PostgreSQL transaction and commits it. Rolls back and rethrows if it throws. */
export async function inTransaction<T>(
  postgres: Pick<Pool, "connect">,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await postgres.connect();
  try {
    return await inTransactionOf(client, () => work(client));
  } finally {
    client.release();
  }
}

/** Like inTransaction, on a connection that the caller holds. */
export async function inTransactionOf<T>(client: Pick<PoolClient, "query">, work: () => Promise<T>): Promise<T> {
  try {
    await client.query("BEGIN");
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
