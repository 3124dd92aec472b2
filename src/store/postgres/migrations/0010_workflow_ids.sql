-- Up Migration
-- The ids of the rows' workflows, see src/store/temporal/workflowIds.ts. Null of older rows: theirs are <kind>/<id>.
ALTER TABLE monitors ADD COLUMN workflow_id text;
ALTER TABLE deliveries ADD COLUMN workflow_id text;
ALTER TABLE exports ADD COLUMN workflow_id text;
ALTER TABLE deletions ADD COLUMN workflow_id text;
CREATE UNIQUE INDEX monitors_workflow ON monitors (workflow_id);
CREATE UNIQUE INDEX exports_workflow ON exports (workflow_id);
CREATE UNIQUE INDEX deletions_workflow ON deletions (workflow_id);

-- So that running workflows load their settings again, which now have the name of the monitor.
UPDATE monitors SET revision = revision + 1 WHERE deleted_at IS NULL;
