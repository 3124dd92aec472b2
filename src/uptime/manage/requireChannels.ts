import { validationError } from "../../errors/errors.ts";
import type { MonitorOptions } from "../monitor/monitor.ts";
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
  if (named.length === 0) return;
  const { rows } = await app.postgres.query<{ id: string }>(
    `SELECT id FROM notification_channels WHERE ${isShownChannel} AND deleted_at IS NULL AND id = ANY($3)`,
    [organizationId, caller?.websiteIds ?? null, named.map(({ id }) => id)],
  );
  const known = new Set(rows.map(({ id }) => id));
  const details = named
    .filter(({ id }) => !known.has(id))
    .map(({ field }) => ({
      field,
      message: "is no channel that your credentials reach; POST /uptime/channels/list lists them",
    }));
  if (details.length > 0) throw validationError(details);
}
