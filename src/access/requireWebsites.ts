import type { Pool } from "pg";
import type { Caller } from "../call/caller.ts";
import { ApiError, validationError } from "../errors/errors.ts";

/**
 * The websites a key or member is to be limited to; undefined for all of the organization. Each must be a live one that the
 * caller may use.
 *
 * Rejects with VALIDATION_ERROR that names the first wrong one, and with ACCESS_DENIED when a caller limited to
 * websites requests a key that is not.
 */
export async function requireWebsites(
  client: Pick<Pool, "query">,
  given: readonly string[],
  caller: Caller,
): Promise<readonly string[] | undefined> {
  if (given.length === 0) {
    if (caller.websiteIds === undefined) return undefined;
    throw new ApiError(
      "ACCESS_DENIED",
      "Your credentials are limited to websites, so a key of theirs must be as well. Name them in websiteIds",
    );
  }
  const ids = [...new Set(given)];
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM websites WHERE organization_id = $1 AND deleted_at IS NULL AND id = ANY($2) AND ($3::text[] IS NULL OR id = ANY($3))",
    [caller.organizationId, ids, caller.websiteIds ?? null],
  );
  const found = new Set(rows.map(({ id }) => id));
  const wrong = given.findIndex((id) => !found.has(id));
  if (wrong >= 0)
    throw validationError([
      {
        field: `websiteIds[${wrong}]`,
        message: "is no website that your credentials reach. POST /websites/list lists those they reach",
      },
    ]);
  return ids;
}
