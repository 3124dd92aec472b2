import type { PoolClient, QueryResultRow } from "pg";

/** Inserts a row into `table`; undefined columns get their defaults. Resolves to the `returned` columns of the row. */
export async function insertRow<T extends QueryResultRow>(
  client: Pick<PoolClient, "query">,
  table: "links" | "monitors" | "maintenance_windows" | "notification_channels" | "status_pages",
  columns: Readonly<Record<string, unknown>>,
  returned: string,
): Promise<T> {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name).join(", ");
  const places = given.map((_, index) => `$${index + 1}`).join(", ");
  const { rows } = await client.query<T>(
    `INSERT INTO ${table} (${names}) VALUES (${places}) RETURNING ${returned}`,
    given.map(([, value]) => value),
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`PostgreSQL did not return the new row of ${table}`);
  return row;
}
