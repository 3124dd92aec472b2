import { recordAudit } from "../../audit/recordAudit.ts";
import type { DeleteIncidentNoteReply } from "../../gen/lookout/services.ts";
import type { DeleteIncidentNoteRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { notFound } from "../monitor/findMonitor.ts";
import { findIncident } from "../state/findIncident.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { type IncidentNote, noteColumns } from "./incidentNote.ts";

/** POST /uptime/incidents/notes/delete. Rejects with NOT_FOUND, with the same text for notes of others. */
export async function deleteIncidentNote(
  { id }: DeleteIncidentNoteRequest,
  call: UptimeCall,
): Promise<DeleteIncidentNoteReply> {
  const missing = notFound("note", "POST /uptime/incidents/get answers those of an incident");
  const { postgres } = call.app;
  const { rows } = await postgres.query<IncidentNote>(`SELECT ${noteColumns} FROM incident_notes WHERE id = $1`, [id]);
  const [note] = rows;
  if (note === undefined) throw missing;
  const { incident, monitor } = await findIncident(note.incidentId, call, missing);
  await inTransaction(postgres, async (client) => {
    const { rowCount } = await client.query("DELETE FROM incident_notes WHERE id = $1", [id]);
    if (rowCount === 0) throw missing;
    await recordAudit(client, call, {
      action: "incident.delete_note",
      objectId: incident.id,
      websiteId: monitor.websiteId,
      before: { noteId: id, writtenBy: note.writtenBy },
    });
  });
  return { success: true };
}
