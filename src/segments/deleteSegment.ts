import { recordAudit } from "../audit/recordAudit.ts";
import type { DeleteSegmentReply } from "../gen/lookout/services.ts";
import type { DeleteSegmentRequest } from "../gen/lookout/v1/segments_pb.ts";
import { inTransaction } from "../store/postgres/inTransaction.ts";
import { findSegment } from "./findSegment.ts";
import { auditedSegment } from "./segment.ts";
import type { SegmentCall } from "./segmentCall.ts";
import { requireSharing } from "./segmentOwner.ts";

/** POST /v1/segments/delete. Rejects with NOT_FOUND, and with ACCESS_DENIED for a shared one without `update`. */
export async function deleteSegment({ id }: DeleteSegmentRequest, call: SegmentCall): Promise<DeleteSegmentReply> {
  await inTransaction(call.app.postgres, async (client) => {
    const { segment, caller } = await findSegment(client, id, call);
    if (segment.userId === null) requireSharing(caller);
    await client.query("DELETE FROM segments WHERE id = $1", [segment.id]);
    await recordAudit(client, call, {
      action: "segment.delete",
      objectId: segment.id,
      websiteId: segment.websiteId,
      before: auditedSegment(segment),
    });
  });
  return { success: true };
}
