import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { authRequired } from "../../../access/authorize.ts";
import { recordAudit } from "../../../audit/recordAudit.ts";
import type { CallContext } from "../../../gateway/callContext.ts";
import type { DeleteDataRequest, DeleteDataResponseSchema } from "../../../gen/lookout/v1/data_pb.ts";
import { keyOf } from "../../../ingest/rows/eventKeys.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import { readErasureDays } from "../steps/erasureDays.ts";
import { countRows } from "./countRows.ts";
import { countedAs, type ErasureScope, targetsOf } from "./erasureScope.ts";
import { insertDeletion } from "./insertDeletion.ts";
import { startDeletion } from "./startDeletion.ts";

/**
 * DELETE /v1/websites/{website_id}/data (specification 4.17): counts what is to go and starts the erasure. Also for a website that was
 * deleted less than 90 days ago.
 *
 * Rejects with NOT_FOUND, and with VALIDATION_ERROR for days that make no range.
 */
export async function deleteData(
  request: DeleteDataRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof DeleteDataResponseSchema>> {
  const { app, caller } = call;
  if (caller === undefined) throw authRequired();
  const { startDate, endDate, anonymousId } = request;
  const website = await findWebsite(app.postgres, request.websiteId, caller);
  const scope: ErasureScope = {
    kind: "request",
    websiteId: website.id,
    ...readErasureDays({ startDate, endDate }, website.timezone, Date.now()),
    startDate,
    endDate,
    dataTypes: [...new Set(request.dataTypes)].sort(),
    visitorKey: anonymousId === undefined ? null : keyOf(website.id, anonymousId),
  };
  const deleted = await countByType(scope, call);
  const id = randomUUID();
  await inTransaction(app.postgres, async (client) => {
    await insertDeletion(client, {
      ...scope,
      id,
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
      before: null,
      after: { startDate, endDate, dataTypes: [...scope.dataTypes], oneVisitor: anonymousId !== undefined, deleted },
    });
  });
  await startDeletion(app, id, website.id).catch((error: unknown) =>
    app.log.warn({ err: error, deletionId: id, requestId: call.requestId }, "an erasure will be started later"),
  );
  return { success: true, deleted, deletionId: id, status: "processing" };
}

/** Rows to erase: of each type that was asked for, and of what goes along with one where there is any. */
async function countByType(scope: ErasureScope, { app, signal }: CallContext): Promise<Record<string, number>> {
  const deleted: Record<string, number> = Object.fromEntries(scope.dataTypes.map((type) => [type, 0]));
  for (const target of targetsOf(scope)) {
    const count = await countRows(app.questdb, target, { owner: scope.websiteId, signal });
    const name = countedAs(target.table);
    if (count > 0) deleted[name] = (deleted[name] ?? 0) + count;
  }
  return deleted;
}
