import type { Pool } from "pg";
import { validationError } from "../../errors.ts";
import type { MonitorOptions } from "./monitor.ts";

/** Rejects with VALIDATION_ERROR when an escalation names a channel that the organization does not have. */
export async function requireChannels(
  { escalation }: MonitorOptions,
  organizationId: string,
  postgres: Pool,
): Promise<void> {
  const named = escalation.flatMap(({ channelIds }, step) =>
    channelIds.map((id, index) => ({ id, field: `escalation[${step}].channelIds[${index}]` })),
  );
  if (named.length === 0) return;
  const { rows } = await postgres.query<{ id: string }>(
    "SELECT id FROM notification_channels WHERE organization_id = $1 AND deleted_at IS NULL AND id = ANY($2)",
    [organizationId, named.map(({ id }) => id)],
  );
  const known = new Set(rows.map(({ id }) => id));
  const details = named
    .filter(({ id }) => !known.has(id))
    .map(({ field }) => ({
      field,
      message: "is no channel of the organization; POST /uptime/channels/list lists them",
    }));
  if (details.length > 0) throw validationError(details);
}
