import type { Pool } from "pg";
import { mayUse } from "../access/authorize.ts";
import { keptAfterDeletionMs } from "../access/websiteDirectory.ts";
import type { Caller } from "../call/caller.ts";
import { ApiError } from "../errors/errors.ts";
import { type StoredWebsite, storedWebsiteColumns } from "./website.ts";

/**
 * A website that the caller may use, in its current state, live or deleted less than 90 days ago. Rejects with
 * NOT_FOUND, with the same text for what does not exist and what belongs to others. `forChange` locks it until the
 * transaction ends.
 */
export async function findWebsite(
  client: Pick<Pool, "query">,
  id: string,
  caller: Caller | undefined,
  forChange = false,
): Promise<StoredWebsite> {
  // PostgreSQL refuses U+0000, and no id contains it.
  const { rows } = await client.query<StoredWebsite>(
    `SELECT ${storedWebsiteColumns} FROM websites
     WHERE id = $1 AND (deleted_at IS NULL OR deleted_at > now() - $2 * interval '1 millisecond')
     ${forChange ? "FOR NO KEY UPDATE" : ""}`,
    [id, keptAfterDeletionMs],
  );
  const website = rows[0];
  if (website === undefined || caller === undefined || !mayUse(caller, website)) throw notFound();
  return website;
}

/** The same, but only a live one. */
export async function findLiveWebsite(
  client: Pick<Pool, "query">,
  id: string,
  caller: Caller | undefined,
  forChange = false,
): Promise<StoredWebsite> {
  const website = await findWebsite(client, id, caller, forChange);
  if (website.deletedAtMs !== null)
    throw new ApiError(
      "NOT_FOUND",
      "This website was deleted. Restore it with POST /websites/restore within 90 days of its deletion",
    );
  return website;
}

function notFound(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "There is no such website, or your credentials do not reach it. POST /websites/list lists those they reach",
  );
}
