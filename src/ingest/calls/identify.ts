import type { MessageInitShape } from "@bufbuild/protobuf";
import type { IdentifyResponseSchema } from "../../gen/lookout/v1/clients_pb.ts";

/**
 * POST /identify: answers success and stores nothing. Who a visitor is and what is known of them is personal data, which this service
 * does not keep; clients look for the success only.
 */
export function identify(): MessageInitShape<typeof IdentifyResponseSchema> {
  return { status: "success", type: "identify", stored: false };
}
