import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { AccessCall } from "../../../access/authorize.ts";
import { readmit } from "../../../access/readmit.ts";
import type { GetDeletionReply, WatchDeletionReply } from "../../../gen/lookout/services.ts";
import type { GetDeletionRequest, WatchDeletionRequest } from "../../../gen/lookout/v1/data_pb.ts";
import type { DataCall } from "../../dataCall.ts";
import { deletionMessage } from "./deletionMessage.ts";
import { findDeletion } from "./findDeletion.ts";

const pollMs = 500;

/**
 * Answers like getDeletion, at once and after each progress of the deletion until it has ended. Rejects with NOT_FOUND, and as `readmit` does once the credentials no longer suffice.
 */
export async function* watchDeletion(
  { deletionId }: WatchDeletionRequest,
  call: DataCall & AccessCall,
): AsyncGenerator<WatchDeletionReply> {
  let sent: ReturnType<typeof deletionMessage> | undefined;
  while (!call.signal.aborted) {
    const found = await findDeletion(deletionId, call);
    const deletion = deletionMessage(found.deletion, found.privacy, call);
    if (!isDeepStrictEqual(deletion, sent)) yield { deletion };
    sent = deletion;
    if (deletion.status !== "processing") return;
    await pause(pollMs, undefined, { signal: call.signal }).catch(() => undefined);
    await readmit(call, "delete:data");
  }
}

/**
 * GET /v1/deletions/{deletion_id}: the progress of a deletion, and its receipt once it is done. Rejects with NOT_FOUND.
 */
export async function getDeletion({ deletionId }: GetDeletionRequest, call: DataCall): Promise<GetDeletionReply> {
  const { deletion, privacy } = await findDeletion(deletionId, call);
  return deletionMessage(deletion, privacy, call);
}
