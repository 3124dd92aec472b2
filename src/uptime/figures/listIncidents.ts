import type { ListIncidentsReply } from "../../gen/lookout/services.ts";
import type { ListIncidentsRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { findMonitor } from "../monitor/findMonitor.ts";
import { incidentMessage, incidentsIn } from "../state/incident.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { readUptimeRange } from "./readUptimeRange.ts";

/**
 * POST /uptime/incidents (specification 4.11): the incidents that overlap a time, newest first. Rejects with
 * VALIDATION_ERROR and NOT_FOUND.
 */
export async function listIncidents(request: ListIncidentsRequest, call: UptimeCall): Promise<ListIncidentsReply> {
  const range = readUptimeRange(request);
  const monitor = await findMonitor(request.monitorId, call);
  const incidents = await incidentsIn(call.app.postgres, [monitor.id], range);
  return { incidents: incidents.map((incident) => incidentMessage(incident, monitor, call)) };
}
