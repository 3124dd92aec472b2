import type { Pool } from "pg";
import { type Deletion, deletionColumns } from "./deletionRow.ts";

/** The current state of a deletion. Rejects with an Error when there is none with this id. */
export async function readDeletion(postgres: Pick<Pool, "query">, id: string): Promise<Deletion> {
  const { rows } = await postgres.query<Deletion>(`SELECT ${deletionColumns} FROM deletions WHERE id = $1`, [id]);
  const [deletion] = rows;
  if (deletion === undefined) throw new Error(`There is no deletion ${id}`);
  return deletion;
}
