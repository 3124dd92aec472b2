import type { RestoreWebsiteReply } from "../gen/lookout/services.ts";
import type { RestoreWebsiteRequest } from "../gen/lookout/v1/websites_pb.ts";
import { restartMonitorsOf } from "../uptime/manage/stopMonitorsOf.ts";
import type { Monitor } from "../uptime/monitor/monitor.ts";
import { notifyMonitors } from "../uptime/run/notifyMonitor.ts";
import { answerWebsite } from "./answerWebsite.ts";
import { changeWebsite } from "./changeWebsite.ts";
import { findWebsite } from "./findWebsite.ts";
import { updateRow } from "./updateRow.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/**
 * POST /websites/restore (specification part 3): makes the website live again and restarts the monitors that its
 * deletion had stopped; those that were paused before stay paused. A live website stays as it is. Rejects with
 * NOT_FOUND, also 90 days after the deletion.
 */
export async function restoreWebsite(request: RestoreWebsiteRequest, call: WebsiteCall): Promise<RestoreWebsiteReply> {
  let monitors: readonly Monitor[] = [];
  const action = { name: "website.restore", find: findWebsite };
  const website = await changeWebsite(request.id, call, action, async (client, before) => {
    if (before.deletedAtMs === null) return { website: before };
    const restored = await updateRow(client, before.id, { deleted_at: null });
    monitors = await restartMonitorsOf(client, before.id);
    return { website: restored, more: { monitorsStarted: monitors.map((monitor) => monitor.id) } };
  });
  await notifyMonitors(monitors, call);
  return await answerWebsite(website, call);
}
