import type { IdentifyReply } from "../../gen/lookout/services.ts";

/**
 * POST /identify: answers success and stores nothing. Data about a visitor's identity is personal data, which this
 * service does not store; clients only check for success.
 */
export function identify(): IdentifyReply {
  return { status: "success", type: "identify", stored: false };
}
