import type { Pool } from "pg";
import { mayUse } from "../access/authorize.ts";
import type { Website } from "../access/websiteDirectory.ts";
import type { Caller } from "../call/caller.ts";
import { ApiError } from "../errors/errors.ts";
import { type Segment, segmentColumns } from "./segment.ts";
import type { SegmentCall } from "./segmentCall.ts";

/**
 * A segment of a live website that the caller sees, locked until the transaction of `client` ends. Rejects with NOT_FOUND, with the same text for what
 * does not exist, what belongs to another organization, and what is another person's own.
 */
export async function findSegment(
  client: Pick<Pool, "query">,
  id: string,
  { app, caller }: SegmentCall,
): Promise<{ readonly segment: Segment; readonly caller: Caller }> {
  const { rows } = await client.query<Segment>(`SELECT ${segmentColumns} FROM segments WHERE id = $1 FOR UPDATE`, [id]);
  const [segment] = rows;
  const website = segment === undefined ? undefined : await app.websites.find(segment.websiteId);
  if (segment === undefined || website === undefined || website.deletedAtMs !== null) throw missing();
  if (caller === undefined || !mayUse(caller, website) || !isSeen(segment, caller)) throw missing();
  return { segment, caller };
}

function isSeen({ userId }: Segment, caller: Caller): boolean {
  return userId === null || (caller.kind === "user" && caller.userId === userId);
}

function missing(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "There is no such segment, or your credentials do not reach it. GET /v1/segments lists a website's",
  );
}

/** A live website whose segments the caller may save. Rejects with NOT_FOUND. */
export async function findSegmentWebsite(
  websiteId: string,
  { app, caller }: SegmentCall,
): Promise<{ readonly website: Website; readonly caller: Caller }> {
  const website = await app.websites.find(websiteId);
  if (website === undefined || website.deletedAtMs !== null || caller === undefined || !mayUse(caller, website))
    throw websiteMissing();
  return { website, caller };
}

export function websiteMissing(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "There is no such website, or your credentials do not reach it. GET /v1/query/websites lists those of the key",
  );
}
