-- Up Migration
-- One row: the name of this installation in the manifests of its backups. A restored one gets another name, so that it changes nothing at
-- the places of the one that it was restored from.
CREATE TABLE installation (id text NOT NULL);
CREATE UNIQUE INDEX installation_is_one ON installation ((true));
-- Manifests had the oldest organization until now.
INSERT INTO installation
SELECT coalesce((SELECT id::text FROM organizations ORDER BY created_at, id LIMIT 1), gen_random_uuid()::text);

-- The installation that made it. Only its own backups are removed, and get receipts put beside them.
ALTER TABLE backups ADD COLUMN installation text;
UPDATE backups SET installation = (SELECT id FROM installation);

-- When all of it was last read and compared with its manifest, and what was found to be wrong; null if nothing was.
ALTER TABLE backups ADD COLUMN checked_at timestamptz;
ALTER TABLE backups ADD COLUMN check_failure text;
