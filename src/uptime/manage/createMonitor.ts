import { randomUUID } from "node:crypto";
import type { CreateMonitorReply } from "../../gen/lookout/services.ts";
import { type CreateMonitorRequest, UptimeService } from "../../gen/lookout/v1/uptime_pb.ts";
import { type Commit, once } from "../../idempotency/once.ts";
import { readOutboundUrl } from "../../outbound/readOutboundUrl.ts";
import { insertRow } from "../../store/postgres/insertRow.ts";
import { workflowIdOf } from "../../store/temporal/workflowIds.ts";
import { findMonitoredWebsite } from "../monitor/findMonitor.ts";
import {
  defaultTimeoutMs,
  intervalsMs,
  type Monitor,
  monitorColumns,
  monitorMessage,
  standardOptions,
} from "../monitor/monitor.ts";
import { openMonitor, sealMonitor } from "../monitor/monitorSecrets.ts";
import { phaseOf } from "../run/phaseOf.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { auditMonitor } from "./auditMonitor.ts";
import { notifyOrLeave, requireLiveWebsite } from "./changeMonitor.ts";
import { changedOptions } from "./monitorOptions.ts";
import { scheduleChange } from "./monitorSchedules.ts";
import { readJsonParsingConfig } from "./readJsonParsingConfig.ts";
import { requireChannels } from "./requireChannels.ts";

/**
 * POST /uptime/monitors/create (specification 4.6): the monitor is active at once; its first check is within one
 * interval, and within five minutes. PostgreSQL is authoritative: while Temporal is unavailable the monitor is created
 * all the same, and the reconciliation notifies its workflow later.
 *
 * Rejects with VALIDATION_ERROR, NOT_FOUND (the website), and CONFLICT when the website is deleted at the same time.
 */
export const createMonitor = once(UptimeService.method.createMonitor, make);

async function make(
  request: CreateMonitorRequest,
  call: UptimeCall,
  commit: Commit<CreateMonitorReply>,
): Promise<CreateMonitorReply> {
  const { keyring, config: settings } = call.app;
  const { uptime } = settings;
  const url = readOutboundUrl(request.url, "url", uptime.allowedRanges);
  const options = changedOptions(
    request,
    { ...standardOptions, name: new URL(url).host, regions: [uptime.region] },
    uptime.regions,
  );
  const config = readJsonParsingConfig(request.jsonParsingConfig);
  const website = await findMonitoredWebsite(request.websiteId, call);
  await requireChannels(options, website.organizationId, call);
  const id = randomUUID();
  const intervalMs = intervalsMs.get(request.interval) ?? 0;
  const { made, reply } = await commit(
    async (client) => {
      await requireLiveWebsite(client, website.id);
      const { headers, body } = request;
      const sealed = await sealMonitor(client, keyring, id, { url, headers, body: body || null });
      const columns = {
        id,
        website_id: website.id,
        organization_id: website.organizationId,
        shown_url: sealed.shownUrl,
        secrets: sealed.secrets,
        interval_ms: intervalMs,
        phase_ms: phaseOf(id, intervalMs, Date.now()),
        timeout_ms: request.timeout ?? defaultTimeoutMs,
        cache_bust: request.cacheBust ?? false,
        json_parsing_config: config === undefined ? null : JSON.stringify(config),
        options: JSON.stringify(options),
        status: "active",
        workflow_id: workflowIdOf("monitor", website.domain, id),
      };
      const row = await insertRow<Monitor>(client, "monitors", columns, monitorColumns);
      const monitor = await openMonitor(client, keyring, row);
      await scheduleChange(client, monitor);
      await auditMonitor(client, call, "monitor.create", undefined, monitor);
      return monitor;
    },
    (monitor) => ({ monitor: monitorMessage(monitor, call) }),
  );
  await notifyOrLeave(call, made, false);
  return reply;
}
