import { randomUUID } from "node:crypto";
import type { CreateMonitorReply } from "../../gen/lookout/services.ts";
import { type CreateMonitorRequest, UptimeService } from "../../gen/lookout/v1/uptime_pb.ts";
import { type Commit, once } from "../../idempotency/once.ts";
import { readOutboundUrl } from "../../outbound/readOutboundUrl.ts";
import { workflowIdOf } from "../../store/temporal/workflowIds.ts";
import { findMonitoredWebsite } from "../monitor/findMonitor.ts";
import { intervalsMs, type Monitor, monitorColumns, standardOptions } from "../monitor/monitor.ts";
import { sealMonitor } from "../monitor/monitorSecrets.ts";
import { phaseOf } from "../run/phaseOf.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { makeMonitor } from "./changeMonitor.ts";
import { changedOptions } from "./monitorOptions.ts";
import { readJsonParsingConfig } from "./readJsonParsingConfig.ts";
import { requireChannels } from "./requireChannels.ts";

/** Specification part 8. */
const defaultTimeoutMs = 30_000;

/**
 * POST /uptime/monitors/create (specification 4.6): the monitor is active at once; its first check is within one
 * interval, and within five minutes.
 *
 * Rejects with VALIDATION_ERROR, NOT_FOUND (the website), and CONFLICT when the website is deleted at the same time.
 */
export const createMonitor = once(UptimeService.method.createMonitor, make);

async function make(
  request: CreateMonitorRequest,
  call: UptimeCall,
  commit: Commit<CreateMonitorReply>,
): Promise<CreateMonitorReply> {
  const { uptime } = call.app.config;
  const url = readOutboundUrl(request.url, "url", uptime.allowedRanges);
  const options = changedOptions(
    request,
    { ...standardOptions, name: new URL(url).host, regions: [uptime.region] },
    uptime.regions,
  );
  const config = request.jsonParsingConfig === undefined ? null : readJsonParsingConfig(request.jsonParsingConfig);
  const website = await findMonitoredWebsite(request.websiteId, call);
  await requireChannels(options, website.organizationId, call);
  const id = randomUUID();
  const intervalMs = intervalsMs.get(request.interval) ?? 0;
  return await makeMonitor(call, website.id, commit, async (client) => {
    const { headers } = request;
    const sealed = await sealMonitor(client, call.app.keyring, id, { url, headers, body: request.body || null });
    const { rows } = await client.query<Monitor>(
      `INSERT INTO monitors (id, website_id, organization_id, shown_url, secrets, interval_ms, phase_ms, timeout_ms, cache_bust, json_parsing_config, options, status,
         workflow_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active', $12) RETURNING ${monitorColumns}`,
      [
        id,
        website.id,
        website.organizationId,
        sealed.shownUrl,
        sealed.secrets,
        intervalMs,
        phaseOf(id, intervalMs, Date.now()),
        request.timeout ?? defaultTimeoutMs,
        request.cacheBust ?? false,
        config === null ? null : JSON.stringify(config),
        JSON.stringify(options),
        workflowIdOf("monitor", website.domain, id),
      ],
    );
    return rows[0];
  });
}
