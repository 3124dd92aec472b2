import type { Pool } from "pg";

/**
 * Takes one of the remaining clicks of a limited link; false when there is none. PostgreSQL serialises the updates, so
 * the limit holds exactly across all processes. Rejects when PostgreSQL is away: the remaining clicks are then unknown.
 */
export async function takeLimitedClick(linkId: string, postgres: Pick<Pool, "query">): Promise<boolean> {
  const { rowCount } = await postgres.query(
    `UPDATE links SET limited_clicks = limited_clicks + 1
     WHERE id = $1 AND deleted_at IS NULL AND (click_limit IS NULL OR limited_clicks < click_limit)`,
    [linkId],
  );
  return rowCount === 1;
}
