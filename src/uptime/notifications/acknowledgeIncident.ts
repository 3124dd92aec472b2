import { recordAudit } from "../../audit/recordAudit.ts";
import { ApiError } from "../../errors/errors.ts";
import type { AcknowledgeIncidentReply } from "../../gen/lookout/services.ts";
import type { AcknowledgeIncidentRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { callerName } from "../state/callerName.ts";
import { findIncident } from "../state/findIncident.ts";
import { type Incident, incidentColumns, incidentMessage } from "../state/incident.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { stopEscalation } from "./startDeliveries.ts";

/**
 * POST /uptime/incidents/acknowledge: stops the escalation of an ongoing incident. The first acknowledger is kept.
 * PostgreSQL is authoritative: it also takes effect while Temporal is unavailable.
 *
 * Rejects with VALIDATION_ERROR, NOT_FOUND, and CONFLICT for an incident that was resolved without an acknowledgement.
 */
export async function acknowledgeIncident(
  { id, by }: AcknowledgeIncidentRequest,
  call: UptimeCall,
): Promise<AcknowledgeIncidentReply> {
  const { app, requestId } = call;
  const { incident: found, monitor } = await findIncident(id, call);
  const acknowledged = await inTransaction(app.postgres, async (client) => {
    const { rows } = await client.query<Incident>(
      `UPDATE incidents SET acknowledged_at = now(), acknowledged_by = $2
       WHERE id = $1 AND acknowledged_at IS NULL AND resolved_at IS NULL RETURNING ${incidentColumns}`,
      [found.id, await callerName(client, by, call)],
    );
    const [row] = rows;
    if (row !== undefined)
      await recordAudit(client, call, {
        action: "incident.acknowledge",
        objectId: row.id,
        websiteId: monitor.websiteId,
        after: { acknowledgedBy: row.acknowledgedBy },
      });
    return row;
  });
  const incident = acknowledged ?? (await findIncident(id, call)).incident;
  if (incident.acknowledgedMs === null)
    throw new ApiError("CONFLICT", "The incident is over, so there is nothing to acknowledge");
  await stopEscalation(app, incident.id).catch((error: unknown) =>
    app.log.warn(
      { requestId, incidentId: incident.id, err: error },
      "an escalation could not be notified; it reads the state before its next step",
    ),
  );
  return { incident: incidentMessage(incident, monitor, call) };
}
