import type { Pool } from "pg";

/**
 * Takes one of the clicks that a limited link has left; false when there is none. PostgreSQL counts them one after the other, so over all
 * processes exactly as many pass as the limit says. Rejects when PostgreSQL is away: how many are left is then not known.
 */
export async function takeLimitedClick(linkId: string, postgres: Pick<Pool, "query">): Promise<boolean> {
  const { rowCount } = await postgres.query(
    `UPDATE links SET limited_clicks = limited_clicks + 1
     WHERE id = $1 AND deleted_at IS NULL AND (click_limit IS NULL OR limited_clicks < click_limit)`,
    [linkId],
  );
  return rowCount === 1;
}
