import type { DeleteWebsiteReply } from "../gen/lookout/services.ts";
import type { DeleteWebsiteRequest } from "../gen/lookout/v1/websites_pb.ts";
import { stopMonitorsOf } from "../uptime/manage/stopMonitorsOf.ts";
import type { Monitor } from "../uptime/monitor/monitor.ts";
import { notifyMonitors } from "../uptime/run/notifyMonitor.ts";
import { changeWebsite } from "./changeWebsite.ts";
import { updateRow } from "./updateRow.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/**
 * POST /websites/delete (specification 4.16, part 3): the website accepts no more events, is not listed and its
 * monitors stop; its data can be queried, and all of it restored, for 90 days. Rejects with NOT_FOUND, also for one
 * that is deleted already.
 */
export async function deleteWebsite(request: DeleteWebsiteRequest, call: WebsiteCall): Promise<DeleteWebsiteReply> {
  let monitors: readonly Monitor[] = [];
  await changeWebsite(request.id, call, { name: "website.delete" }, async (client, { id }) => {
    const website = await updateRow(client, id, { deleted_at: new Date() });
    monitors = await stopMonitorsOf(client, id);
    return { website, more: { monitorsStopped: monitors.map((monitor) => monitor.id) } };
  });
  await notifyMonitors(monitors, call);
  return { success: true };
}
