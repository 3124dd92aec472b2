-- Up Migration
-- What people who look after an incident write down for each other. They go with the incident.
CREATE TABLE incident_notes (
  id text PRIMARY KEY,
  incident_id text NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  text text NOT NULL,
  written_by text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX incident_notes_incident ON incident_notes (incident_id, written_at, id);
