import type { GetDeletionReply } from "../../../gen/lookout/services.ts";
import type { GetDeletionRequest } from "../../../gen/lookout/v1/data_pb.ts";
import type { DataCall } from "../../dataCall.ts";
import { deletionMessage } from "./deletionMessage.ts";
import { findDeletion } from "./findDeletion.ts";

/**
 * GET /v1/deletions/{deletion_id}: the progress of a deletion, and its receipt once it is done. Rejects with NOT_FOUND.
 */
export async function getDeletion({ deletionId }: GetDeletionRequest, call: DataCall): Promise<GetDeletionReply> {
  return deletionMessage(await findDeletion(deletionId, call));
}
