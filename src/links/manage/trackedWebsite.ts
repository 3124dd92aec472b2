import type { PoolClient } from "pg";
import { plainHostname } from "../follow/targets.ts";
import type { Link } from "../link.ts";

/**
 * The live website of the link's organization that its target is on, by the host with or without `www.`. If there are
 * several, the link's own comes first; null when there is none. Conversions are measured there.
 */
export async function trackedWebsiteOf(
  client: PoolClient,
  { organizationId, websiteId, targetUrl }: Pick<Link, "organizationId" | "websiteId" | "targetUrl">,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM websites WHERE organization_id = $1 AND deleted_at IS NULL AND regexp_replace(domain, '^www\\.', '') = $2
     ORDER BY (id = $3) IS TRUE DESC, created_at, id LIMIT 1`,
    [organizationId, plainHostname(targetUrl), websiteId],
  );
  return rows[0]?.id ?? null;
}
