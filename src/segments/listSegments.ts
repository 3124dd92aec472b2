import { mayUse } from "../access/authorize.ts";
import { findShownWebsite } from "../access/findShownWebsite.ts";
import type { ListSegmentsReply } from "../gen/lookout/services.ts";
import type { ListSegmentsRequest } from "../gen/lookout/v1/segments_pb.ts";
import { isPublicFilter } from "../query/filters/allowedFilters.ts";
import { websiteMissing } from "./findSegment.ts";
import { type Segment, segmentColumns, segmentMessage } from "./segment.ts";
import type { SegmentCall } from "./segmentCall.ts";

/**
 * GET /v1/segments: those that the caller sees, by name. A caller who only sees the public dashboard gets no segment that it cannot use there. Rejects
 * with MISSING_WEBSITE_ID and NOT_FOUND (the website).
 */
export async function listSegments({ websiteId }: ListSegmentsRequest, call: SegmentCall): Promise<ListSegmentsReply> {
  const { app, caller } = call;
  const website = await findShownWebsite(websiteId, call);
  if (website === undefined) throw websiteMissing();
  const isMember = caller !== undefined && mayUse(caller, website);
  const { rows } = await app.postgres.query<Segment>(
    `SELECT ${segmentColumns} FROM segments WHERE website_id = $1 AND (user_id IS NULL OR user_id = $2)
     ORDER BY lower(name), user_id NULLS LAST, id`,
    [website.id, isMember && caller.kind === "user" ? caller.userId : null],
  );
  const shown = isMember ? rows : rows.filter(({ filters }) => filters.every(({ field }) => isPublic(field)));
  return { segments: shown.map(segmentMessage) };
}

function isPublic(field: unknown): boolean {
  return typeof field === "string" && isPublicFilter(field);
}
