import type { MessageInitShape } from "@bufbuild/protobuf";
import type { IdentifyResponseSchema } from "../../gen/lookout/v1/clients_pb.ts";

/**
 * POST /identify: answers success and stores nothing. Data about a visitor's identity is personal data, which this
 * service does not store; clients only check for success.
 */
export function identify(): MessageInitShape<typeof IdentifyResponseSchema> {
  return { status: "success", type: "identify", stored: false };
}
