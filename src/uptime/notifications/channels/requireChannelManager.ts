import { authRequired } from "../../../access/authorize.ts";
import { requireWholeOrganization } from "../../../access/requireWholeOrganization.ts";
import type { Caller } from "../../../call/caller.ts";
import type { UptimeCall } from "../../uptimeCall.ts";

/**
 * The caller, who may manage channels: these receive notifications about monitors of all the organization's websites.
 * Throws ACCESS_DENIED.
 */
export function requireChannelManager({ caller }: Pick<UptimeCall, "caller">): Caller {
  if (caller === undefined) throw authRequired();
  requireWholeOrganization(caller);
  return caller;
}
