import type { UpdateMonitorReply } from "../../gen/lookout/services.ts";
import type { UpdateMonitorRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { readOutboundUrl } from "../../outbound/readOutboundUrl.ts";
import { findMonitor } from "../monitor/findMonitor.ts";
import { intervalsMs, monitorMessage } from "../monitor/monitor.ts";
import { sealMonitor } from "../monitor/monitorSecrets.ts";
import { phaseOf } from "../run/phaseOf.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { changeMonitor } from "./changeMonitor.ts";
import { changedOptions, changedSecrets } from "./monitorOptions.ts";
import { readJsonParsingConfig } from "./readJsonParsingConfig.ts";
import { requireChannels } from "./requireChannels.ts";

/**
 * POST /uptime/monitors/update (specification 4.8): fields left out stay as they are. Simultaneous updates are both
 * applied, since each changes the locked row.
 *
 * Rejects with VALIDATION_ERROR, NOT_FOUND, and CONFLICT when its website is deleted.
 */
export async function updateMonitor(request: UpdateMonitorRequest, call: UptimeCall): Promise<UpdateMonitorReply> {
  const { uptime } = call.app.config;
  const url = request.url === undefined ? undefined : readOutboundUrl(request.url, "url", uptime.allowedRanges);
  const config = readJsonParsingConfig(request.jsonParsingConfig);
  const seen = await findMonitor(request.id, call);
  const options = changedOptions(request, seen.options, uptime.regions);
  // A channel that was deleted since must not prevent other changes.
  if (request.escalation.length > 0) await requireChannels(options, seen.organizationId, call);
  const monitor = await changeMonitor(call, seen, "monitor.update", async (client, before) => {
    const intervalMs = intervalsMs.get(request.interval ?? "") ?? before.intervalMs;
    const phaseMs = intervalMs === before.intervalMs ? before.phaseMs : phaseOf(request.id, intervalMs, Date.now());
    const secrets = changedSecrets(request, before.secrets, url);
    const sealed = await sealMonitor(client, call.app.keyring, before.id, secrets);
    return {
      shown_url: sealed.shownUrl,
      secrets: sealed.secrets,
      url: "",
      interval_ms: intervalMs,
      phase_ms: phaseMs,
      timeout_ms: request.timeout,
      cache_bust: request.cacheBust,
      json_parsing_config: config === undefined ? undefined : JSON.stringify(config),
      options: JSON.stringify(changedOptions(request, before.options, uptime.regions)),
      status: request.status,
    };
  });
  return { monitor: monitorMessage(monitor, call) };
}
