import { type CallRpc, type JsonObject, listOf } from "./tool.ts";

/** The websites that the key reaches, without waiting for whether they have events. */
export async function reachedWebsites(call: CallRpc): Promise<readonly JsonObject[]> {
  return listOf((await call("WebsiteService.ListWebsites", { without_tracking_status: true }))["websites"]);
}
