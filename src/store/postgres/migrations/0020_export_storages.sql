-- Up Migration
-- Directories of machines that exports are kept in where there is no bucket. Their workers report each few seconds.
CREATE TABLE export_storages (
  -- stands in the directory itself
  id text PRIMARY KEY,
  -- host and path, for operators
  place text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- which of them has the files; null before the first is written, and with a bucket
ALTER TABLE exports ADD COLUMN storage_id text;

-- Down Migration
ALTER TABLE exports DROP COLUMN storage_id;
DROP TABLE export_storages;
