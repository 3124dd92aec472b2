-- Up Migration
-- The last slot that was passed over, because the service could only have checked it too late.
ALTER TABLE monitors ADD COLUMN unchecked_due_at timestamptz;
CREATE INDEX incidents_open ON incidents (monitor_id) WHERE resolved_at IS NULL;

-- Down Migration
DROP INDEX incidents_open;
ALTER TABLE monitors DROP COLUMN unchecked_due_at;
