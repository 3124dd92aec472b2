import type { PoolClient, QueryResultRow } from "pg";

/**
 * Writes the given columns of a row of `table` that the transaction has locked, and its `updated_at`; undefined columns
 * stay. Resolves to the `returned` columns of the row.
 */
export async function updateLockedRow<T extends QueryResultRow>(
  client: Pick<PoolClient, "query">,
  table: "links" | "websites" | "monitors" | "status_pages" | "segments",
  id: string,
  columns: Readonly<Record<string, unknown>>,
  returned: string,
): Promise<T> {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const assignments = given.map(([name], index) => `${name} = $${index + 2}, `).join("");
  // clock_timestamp(), since the transaction's own time may be before that of the change it waited for.
  const { rows } = await client.query<T>(
    `UPDATE ${table} SET ${assignments}updated_at = clock_timestamp() WHERE id = $1 RETURNING ${returned}`,
    [id, ...given.map(([, value]) => value)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`A locked row of ${table} was gone`);
  return row;
}
