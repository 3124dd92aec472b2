-- Up Migration
-- When the run of an export was started; null while it is to be started.
ALTER TABLE exports ADD COLUMN run_started_at timestamptz;
UPDATE exports SET run_started_at = created_at;
CREATE INDEX exports_unstarted ON exports (created_at) WHERE status = 'processing' AND run_started_at IS NULL;
