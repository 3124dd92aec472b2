import type { Pool } from "pg";

type Database = Pick<Pool, "query">;

/** Notes that no file of an export that has ended is left. */
export async function noteRemoved(postgres: Database, id: string): Promise<void> {
  await postgres.query("UPDATE exports SET removed_at = now() WHERE id = $1 AND removed_at IS NULL", [id]);
}
