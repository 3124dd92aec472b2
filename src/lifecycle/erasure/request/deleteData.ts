import { randomUUID } from "node:crypto";
import { authRequired } from "../../../access/authorize.ts";
import { recordAudit } from "../../../audit/recordAudit.ts";
import type { DeleteDataReply } from "../../../gen/lookout/services.ts";
import { DataService, type DeleteDataRequest } from "../../../gen/lookout/v1/data_pb.ts";
import { type Commit, once } from "../../../idempotency/once.ts";
import { workflowIdOf } from "../../../store/temporal/workflowIds.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import type { DataCall } from "../../dataCall.ts";
import { insertDeletion } from "../deletion/insertDeletion.ts";
import { countByType } from "./countByType.ts";
import { readScope } from "./readScope.ts";
import { startDeletion } from "./startDeletion.ts";

/**
 * DELETE /v1/websites/{website_id}/data (specification 4.17): counts the rows to delete and starts the erasure. Also
 * for a website that was deleted less than 90 days ago.
 *
 * Rejects with NOT_FOUND, and with VALIDATION_ERROR for days that are no valid range.
 */
export const deleteData = once(DataService.method.deleteData, make);

async function make(
  request: DeleteDataRequest,
  call: DataCall,
  commit: Commit<DeleteDataReply>,
): Promise<DeleteDataReply> {
  const { app, caller } = call;
  if (caller === undefined) throw authRequired();
  const { startDate, endDate, anonymousId } = request;
  const website = await findWebsite(app.postgres, request.websiteId, caller);
  const scope = readScope(request, website);
  const deleted = await countByType(scope, website, call);
  const id = randomUUID();
  const { reply } = await commit(
    async (client) => {
      await insertDeletion(client, {
        ...scope,
        id,
        workflowId: workflowIdOf("deletion", website.domain, id),
        organizationId: website.organizationId,
        timeZone: website.timezone,
        deleted,
        requestedBy: caller.kind === "key" ? caller.keyId : caller.userId,
        requestId: call.requestId,
      });
      await recordAudit(client, call, {
        action: "data.erase",
        objectType: "deletion",
        objectId: id,
        websiteId: website.id,
        after: { startDate, endDate, dataTypes: [...scope.dataTypes], oneVisitor: anonymousId !== undefined, deleted },
      });
    },
    () => ({ success: true, deleted, deletionId: id, status: "processing" }),
  );
  await startDeletion(app, id).catch((error: unknown) =>
    app.log.warn({ err: error, deletionId: id, requestId: call.requestId }, "a deletion will be started later"),
  );
  return reply;
}
