import type { MonitorOptions } from "../monitor/monitor.ts";
import { requireKnown } from "../monitor/requireMonitors.ts";
import { isShownChannel } from "../notifications/channels/channel.ts";
import type { UptimeCall } from "../uptimeCall.ts";

/**
 * Rejects with VALIDATION_ERROR when an escalation names a channel that the organization does not have, or that the
 * caller's key does not reach.
 */
export async function requireChannels(
  { escalation }: MonitorOptions,
  organizationId: string,
  { app, caller }: UptimeCall,
): Promise<void> {
  const named = escalation.flatMap(({ channelIds }, step) =>
    channelIds.map((id, index) => ({ id, field: `escalation[${step}].channelIds[${index}]` })),
  );
  await requireKnown(named, "is no channel that your credentials reach; POST /uptime/channels/list lists them", (ids) =>
    app.postgres.query<{ id: string }>(
      `SELECT id FROM notification_channels WHERE ${isShownChannel} AND deleted_at IS NULL AND id = ANY($3)`,
      [organizationId, caller?.websiteIds ?? null, ids],
    ),
  );
}
