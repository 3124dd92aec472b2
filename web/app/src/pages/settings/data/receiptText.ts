import { toJson } from "@bufbuild/protobuf";
import {
  type GetDeletionResponse,
  GetDeletionResponseSchema,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/data_pb.ts";

/** An erasure with its receipt in the API's JSON, to keep with other records. */
export function receiptText(deletion: GetDeletionResponse): string {
  return JSON.stringify(toJson(GetDeletionResponseSchema, deletion), undefined, 2);
}
