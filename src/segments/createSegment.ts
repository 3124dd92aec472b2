import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { recordAudit } from "../audit/recordAudit.ts";
import { ApiError } from "../errors/errors.ts";
import type { CreateSegmentReply } from "../gen/lookout/services.ts";
import { type CreateSegmentRequest, SegmentService } from "../gen/lookout/v1/segments_pb.ts";
import { type Commit, once } from "../idempotency/once.ts";
import { readName } from "../text/readName.ts";
import { findSegmentWebsite } from "./findSegment.ts";
import { readSegmentFilters } from "./readSegmentFilters.ts";
import { auditedSegment, type Segment, segmentColumns, segmentMessage } from "./segment.ts";
import type { SegmentCall } from "./segmentCall.ts";
import { explainNameConflict } from "./segmentName.ts";
import { ownerOf } from "./segmentOwner.ts";

/** Shared segments of one website, and those of one person for it. */
const mostSegments = 100;

/**
 * POST /v1/segments/create. Rejects with VALIDATION_ERROR, NOT_FOUND (the website), ACCESS_DENIED (a shared one without `update`) and CONFLICT (a name
 * that is taken, or too many).
 */
export const createSegment = once(SegmentService.method.createSegment, make);

async function make(
  request: CreateSegmentRequest,
  call: SegmentCall,
  commit: Commit<CreateSegmentReply>,
): Promise<CreateSegmentReply> {
  const { website, caller } = await findSegmentWebsite(request.websiteId, call);
  const userId = ownerOf(caller, request.shared ?? false);
  const name = readName(request.name).trim();
  const filters = readSegmentFilters(request.filters, call);
  const work = async (client: PoolClient) => {
    await requireRoom(client, website.id, userId);
    const { rows } = await client.query<Segment>(
      `INSERT INTO segments (id, website_id, organization_id, user_id, name, filters) VALUES ($1, $2, $3, $4, $5, $6)
       RETURNING ${segmentColumns}`,
      [randomUUID(), website.id, website.organizationId, userId, name, filters],
    );
    const [made] = rows;
    if (made === undefined) throw new Error("PostgreSQL did not return the new segment");
    await recordAudit(client, call, {
      action: "segment.create",
      objectId: made.id,
      websiteId: made.websiteId,
      after: auditedSegment(made),
    });
    return made;
  };
  const { reply } = await commit(work, (segment) => ({ segment: segmentMessage(segment) })).catch(explainNameConflict);
  return reply;
}

/** Rejects with CONFLICT when there are as many segments as are possible. Others that are saved meanwhile wait. */
export async function requireRoom(client: PoolClient, websiteId: string, userId: string | null): Promise<void> {
  await client.query("SELECT 1 FROM websites WHERE id = $1 FOR NO KEY UPDATE", [websiteId]);
  const { rows } = await client.query<{ segments: number }>(
    "SELECT count(*)::integer AS segments FROM segments WHERE website_id = $1 AND user_id IS NOT DISTINCT FROM $2",
    [websiteId, userId],
  );
  if ((rows[0]?.segments ?? 0) < mostSegments) return;
  throw new ApiError("CONFLICT", `There are ${mostSegments} segments, and more are not possible. Delete one`);
}
