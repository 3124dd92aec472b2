import type { GetFlagsReply } from "../../gen/lookout/services.ts";

/** GET /public/v1/flags/bulk: no flags, so that clients with feature flags use their defaults without an error. */
export function getFlags(): GetFlagsReply {
  return { flags: {} };
}
