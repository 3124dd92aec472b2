import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { WatchDeletionReply } from "../../../gen/lookout/services.ts";
import type { WatchDeletionRequest } from "../../../gen/lookout/v1/data_pb.ts";
import type { DataCall } from "../../dataCall.ts";
import { deletionMessage } from "./deletionMessage.ts";
import { findDeletion } from "./findDeletion.ts";

const pollMs = 500;

/**
 * Answers like getDeletion, at once and after each progress of the deletion until it has ended. Rejects with NOT_FOUND.
 */
export async function* watchDeletion(
  { deletionId }: WatchDeletionRequest,
  call: DataCall,
): AsyncGenerator<WatchDeletionReply> {
  let sent: ReturnType<typeof deletionMessage> | undefined;
  while (!call.signal.aborted) {
    const deletion = deletionMessage(await findDeletion(deletionId, call));
    if (!isDeepStrictEqual(deletion, sent)) yield { deletion };
    sent = deletion;
    if (deletion.status !== "processing") return;
    await pause(pollMs, undefined, { signal: call.signal }).catch(() => undefined);
  }
}
