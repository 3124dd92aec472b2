import type { Pool } from "pg";
import { keptAfterDeletionMs } from "../../access/websiteDirectory.ts";
import type { Caller } from "../../call/caller.ts";
import { ApiError } from "../../errors/errors.ts";
import { type Link, linkColumns } from "../link.ts";

/**
 * Whether the caller's credentials may use this link. Credentials limited to websites may use only the links of these.
 */
function mayUseLink(caller: Caller, link: Pick<Link, "organizationId" | "websiteId">): boolean {
  if (caller.organizationId !== link.organizationId) return false;
  return caller.websiteIds === undefined || (link.websiteId !== null && caller.websiteIds.includes(link.websiteId));
}

/**
 * A link that the caller may use, in its current state. Rejects with NOT_FOUND, with the same text for what does not
 * exist, what is deleted and what belongs to another organization. `forChange` locks it until the transaction ends.
 */
export async function findLink(
  client: Pick<Pool, "query">,
  id: string,
  caller: Caller | undefined,
  forChange = false,
): Promise<Link> {
  const { rows } = await client.query<Link>(
    `SELECT ${linkColumns} FROM links WHERE id = $1 AND deleted_at IS NULL ${forChange ? "FOR NO KEY UPDATE" : ""}`,
    [id],
  );
  const [link] = rows;
  if (link === undefined || caller === undefined || !mayUseLink(caller, link)) throw noSuchLink();
  return link;
}

/**
 * A link whose clicks the caller may see, including deleted links and links of a website that was deleted less than 90
 * days ago. Undefined when there is none.
 */
export async function findClickedLink(
  client: Pick<Pool, "query">,
  id: string,
  caller: Caller,
): Promise<Link | undefined> {
  const { rows } = await client.query<Link>(
    `SELECT ${linkColumns} FROM links LEFT JOIN websites ON websites.id = links.website_id
     WHERE links.id = $1 AND (websites.deleted_at IS NULL OR websites.deleted_at > now() - $2 * interval '1 millisecond')`,
    [id, keptAfterDeletionMs],
  );
  const [link] = rows;
  return link !== undefined && mayUseLink(caller, link) ? link : undefined;
}

function noSuchLink(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "There is no such link, or your credentials do not reach it. POST /links/list lists those they reach",
  );
}
