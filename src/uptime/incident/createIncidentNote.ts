import { randomUUID } from "node:crypto";
import { recordAudit } from "../../audit/recordAudit.ts";
import { ApiError } from "../../errors/errors.ts";
import type { CreateIncidentNoteReply } from "../../gen/lookout/services.ts";
import { type CreateIncidentNoteRequest, UptimeService } from "../../gen/lookout/v1/uptime_pb.ts";
import { type Commit, once } from "../../idempotency/once.ts";
import { callerName } from "../state/callerName.ts";
import { findIncident } from "../state/findIncident.ts";
import { requireTexts } from "../statusPages/manage/readPageFields.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { type IncidentNote, mostNotes, noteColumns, noteMessage } from "./incidentNote.ts";

/**
 * POST /uptime/incidents/notes/create. Rejects with VALIDATION_ERROR, NOT_FOUND (the incident), and CONFLICT if the
 * incident has as many notes as are possible.
 */
export const createIncidentNote = once(UptimeService.method.createIncidentNote, make);

async function make(
  { incidentId, text, by }: CreateIncidentNoteRequest,
  call: UptimeCall,
  commit: Commit<CreateIncidentNoteReply>,
): Promise<CreateIncidentNoteReply> {
  requireTexts({ text, by });
  const { incident, monitor } = await findIncident(incidentId, call);
  const { reply } = await commit(
    async (client) => {
      // One at a time, so that the count holds.
      await client.query("SELECT 1 FROM incidents WHERE id = $1 FOR UPDATE", [incident.id]);
      const { rows } = await client.query<IncidentNote>(
        `INSERT INTO incident_notes (id, incident_id, text, written_by, written_at)
       SELECT $1, $2, $3, $4, clock_timestamp()
       WHERE (SELECT count(*) FROM incident_notes WHERE incident_id = $2) < ${mostNotes} RETURNING ${noteColumns}`,
        [randomUUID(), incident.id, text.trim(), await callerName(client, by, call)],
      );
      const [made] = rows;
      if (made === undefined)
        throw new ApiError("CONFLICT", `The incident has ${mostNotes} notes, and more are not possible. Delete one`);
      // Without the text, which may hold what has to be deleted later.
      await recordAudit(client, call, {
        action: "incident.create_note",
        objectId: incident.id,
        websiteId: monitor.websiteId,
        after: { noteId: made.id, writtenBy: made.writtenBy },
      });
      return made;
    },
    (note) => ({ note: noteMessage(note) }),
  );
  return reply;
}
