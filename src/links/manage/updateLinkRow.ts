import type { PoolClient } from "pg";
import { updateLockedRow } from "../../store/postgres/updateLockedRow.ts";
import { type Link, linkColumns } from "../link.ts";
import type { LinkColumns } from "./readLinkColumns.ts";

type Columns = Partial<LinkColumns> & {
  readonly limited_clicks?: number | undefined;
  readonly target_website_id?: string | null | undefined;
  readonly deleted_at?: Date;
};

/**
 * Writes the given columns of a link that the transaction has locked, and its time of change; undefined columns stay.
 */
export async function updateLinkRow(client: PoolClient, id: string, columns: Columns): Promise<Link> {
  return await updateLockedRow<Link>(client, "links", id, columns, linkColumns);
}
