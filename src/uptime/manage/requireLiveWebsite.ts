import type { PoolClient } from "pg";
import { ApiError } from "../../errors.ts";

/**
 * Makes sure that a monitor is only started or changed while its website is live: the website cannot be deleted before
 * the transaction ends. Must come first in the transaction, since a deletion locks the website before its monitors.
 * Rejects with CONFLICT.
 */
export async function requireLiveWebsite(client: PoolClient, websiteId: string): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM websites WHERE id = $1 AND deleted_at IS NULL FOR SHARE", [
    websiteId,
  ]);
  if (rowCount === 0)
    throw new ApiError(
      "CONFLICT",
      "The website of this monitor was deleted. Restore it with POST /websites/restore, then try again",
    );
}
