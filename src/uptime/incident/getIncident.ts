import type { GetIncidentReply } from "../../gen/lookout/services.ts";
import type { GetIncidentRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import { isoTime } from "../../time/utcDay.ts";
import { checkMessage } from "../figures/checkMessage.ts";
import { checkColumns } from "../figures/slotReader.ts";
import { type Monitor, monitorMessage } from "../monitor/monitor.ts";
import { openMonitor } from "../monitor/monitorSecrets.ts";
import { deliveriesAbout } from "../notifications/listDeliveries.ts";
import { findIncident } from "../state/findIncident.ts";
import { type Incident, incidentMessage } from "../state/incident.ts";
import { reportsAbout } from "../statusPages/manage/statusReport.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { notesOf } from "./incidentNote.ts";

/** Slots that are shown before an incident began and after it ended. */
const slotsAround = 5;
const mostChecks = 2_000;
const mostDeliveries = 200;
const mostReports = 50;

/** POST /uptime/incidents/get: an incident with its monitor, checks, deliveries, reports and notes. Rejects with NOT_FOUND. */
export async function getIncident({ id }: GetIncidentRequest, call: UptimeCall): Promise<GetIncidentReply> {
  const { incident, monitor } = await findIncident(id, call);
  const { postgres, keyring } = call.app;
  const [open, checks, deliveries, reports, notes] = await Promise.all([
    openMonitor(postgres, keyring, monitor),
    checksAround(incident, monitor, call),
    deliveriesAbout(incident.id, mostDeliveries, call),
    reportsAbout(postgres, incident.id, monitor.websiteId, mostReports),
    notesOf(postgres, incident.id),
  ]);
  return {
    incident: incidentMessage(incident, monitor, call),
    monitor: monitorMessage(open, call),
    ...(incident.openedMs === null ? {} : { openedAt: new Date(incident.openedMs).toISOString() }),
    checks: checks.slice(0, mostChecks).map(checkMessage),
    hasMoreChecks: checks.length > mostChecks,
    deliveries,
    reports,
    notes,
  };
}

/** The rows of all regions, oldest first, one more than are shown if there are more. */
async function checksAround(incident: Incident, monitor: Monitor, { app, signal }: UptimeCall): Promise<Row[]> {
  const { id, websiteId, intervalMs } = monitor;
  const aroundMs = slotsAround * intervalMs;
  const fromMs = incident.startedMs - aroundMs;
  // The last slot is one that was due when the incident ended.
  const untilMs = (incident.resolvedMs ?? Date.now()) + aroundMs + 1;
  return await app.questdb
    .of(websiteId)
    .read(
      `SELECT ${checkColumns} FROM uptime_checks WHERE monitor_id = $1 AND ts >= $2 AND ts < $3 ORDER BY ts, region LIMIT $4`,
      [id, isoTime(fromMs), isoTime(untilMs), mostChecks + 1],
      { owner: websiteId, signal },
    );
}
