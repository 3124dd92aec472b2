import type { PoolClient } from "pg";
import { type Link, linkColumns } from "./link.ts";
import type { LinkColumns } from "./readLinkColumns.ts";

type Columns = Partial<LinkColumns> & {
  readonly limited_clicks?: number | undefined;
  readonly target_website_id?: string | null | undefined;
  readonly deleted_at?: Date;
};

/** Writes the given columns of a link that the transaction has locked, and when it was; columns that are undefined stay. */
export async function updateLinkRow(client: PoolClient, id: string, columns: Columns): Promise<Link> {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const assignments = given.map(([name], index) => `${name} = $${index + 2}, `).join("");
  // The transaction's own time may be before that of the change it waited for.
  const { rows } = await client.query<Link>(
    `UPDATE links SET ${assignments}updated_at = clock_timestamp() WHERE id = $1 RETURNING ${linkColumns}`,
    [id, ...given.map(([, value]) => value)],
  );
  const [link] = rows;
  if (link === undefined) throw new Error("A locked link was gone");
  return link;
}
