import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetFlagsResponseSchema } from "../../gen/lookout/v1/clients_pb.ts";

/** GET /public/v1/flags/bulk: no flags, so that clients with feature flags use their defaults without an error. */
export function getFlags(): MessageInitShape<typeof GetFlagsResponseSchema> {
  return { flags: {} };
}
