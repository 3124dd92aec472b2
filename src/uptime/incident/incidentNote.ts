import type { Pool } from "pg";
import type { EveryField } from "../../call/everyField.ts";
import type { IncidentNoteInit } from "../../gen/lookout/services.ts";
import type { IncidentNoteSchema } from "../../gen/lookout/v1/uptime_pb.ts";
import { epochMs } from "../../store/postgres/epochMs.ts";

/** So many notes an incident may have. */
export const mostNotes = 200;

/** A row of the table incident_notes. The time is in Unix ms. */
export type IncidentNote = {
  readonly id: string;
  readonly incidentId: string;
  readonly text: string;
  readonly writtenBy: string;
  readonly writtenMs: number;
};

/** Columns of the table incident_notes, as an IncidentNote names them. */
export const noteColumns = `id, incident_id AS "incidentId", text, written_by AS "writtenBy", ${epochMs("written_at")} AS "writtenMs"`;

/** The notes of an incident, oldest first. */
export async function notesOf(client: Pick<Pool, "query">, incidentId: string): Promise<IncidentNoteInit[]> {
  const { rows } = await client.query<IncidentNote>(
    `SELECT ${noteColumns} FROM incident_notes WHERE incident_id = $1 ORDER BY written_at, id LIMIT ${mostNotes}`,
    [incidentId],
  );
  return rows.map(noteMessage);
}

/** A note as answers of the API show it. */
export function noteMessage({ id, text, writtenBy, writtenMs }: IncidentNote): IncidentNoteInit {
  return { id, text, writtenBy, writtenAt: new Date(writtenMs).toISOString() } satisfies EveryField<
    typeof IncidentNoteSchema
  >;
}
