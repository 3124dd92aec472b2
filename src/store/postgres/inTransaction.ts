import type { Pool, PoolClient } from "pg";
import { isStoreUnavailable } from "../storeUnavailable.ts";

/** Runs `work` in a PostgreSQL transaction and commits it. Rolls back and rethrows if it throws. */
export async function inTransaction<T>(
  postgres: Pick<Pool, "connect">,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await postgres.connect();
  let hasFailed = false;
  try {
    return await inTransactionOf(client, () => work(client));
  } catch (error) {
    hasFailed = isStoreUnavailable(error);
    throw error;
  } finally {
    // A connection that did not answer in time may still have the statement, so nothing else can use it.
    client.release(hasFailed);
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
    // Without an answer to a statement there would be none to this one; the end of the connection rolls back too.
    if (!isStoreUnavailable(error)) await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
