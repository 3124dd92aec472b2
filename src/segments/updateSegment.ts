import { changedFields } from "../audit/changedFields.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { UpdateSegmentReply } from "../gen/lookout/services.ts";
import type { UpdateSegmentRequest } from "../gen/lookout/v1/segments_pb.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import { updateLockedRow } from "../store/postgres/updateLockedRow.ts";
import { readName } from "../text/readName.ts";
import { requireRoom } from "./createSegment.ts";
import { findSegment } from "./findSegment.ts";
import { readSegmentFilters } from "./readSegmentFilters.ts";
import { auditedSegment, type Segment, segmentColumns, segmentMessage } from "./segment.ts";
import type { SegmentCall } from "./segmentCall.ts";
import { explainNameConflict } from "./segmentName.ts";
import { ownerOf, requireSharing } from "./segmentOwner.ts";

/**
 * POST /v1/segments/update: fields left out stay as they are. Rejects with VALIDATION_ERROR, NOT_FOUND, ACCESS_DENIED (a shared one without `update`) and
 * CONFLICT (a name that is taken, or too many).
 */
export async function updateSegment(request: UpdateSegmentRequest, call: SegmentCall): Promise<UpdateSegmentReply> {
  const name = request.name === undefined ? undefined : readName(request.name).trim();
  const filters = request.filters.length === 0 ? undefined : readSegmentFilters(request.filters, call);
  const segment = await inTransaction(call.app.postgres, async (client) => {
    const { segment: before, caller } = await findSegment(client, request.id, call);
    if (before.userId === null) requireSharing(caller);
    const userId = request.shared === undefined ? before.userId : ownerOf(caller, request.shared);
    if (userId !== before.userId) await requireRoom(client, before.websiteId, userId);
    const columns = { name, filters, user_id: userId };
    const after = await updateLockedRow<Segment>(client, "segments", before.id, columns, segmentColumns);
    const fields = changedFields(auditedSegment(before), auditedSegment(after));
    // The log does not say what a personal one holds, only that it was changed.
    if (fields !== undefined || after.userId !== null)
      await recordAudit(client, call, {
        action: "segment.update",
        objectId: after.id,
        websiteId: after.websiteId,
        ...fields,
      });
    return after;
  }).catch(explainNameConflict);
  return { segment: segmentMessage(segment) };
}
