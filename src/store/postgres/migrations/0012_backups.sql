-- Up Migration
-- Backups that were begun, so that a checkpoint that a killed one left in QuestDB is found, and receipts of erasures can say until when a
-- backup holds what they erased.
CREATE TABLE backups (
  id text PRIMARY KEY,
  -- a directory or bucket, as the operator named it
  target text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- everything acknowledged before is in it
  taken_at timestamptz,
  -- null while it runs, and for good if it failed
  finished_at timestamptz,
  -- when it is to be removed, and when it was
  expires_at timestamptz,
  removed_at timestamptz,
  -- whether QuestDB may still hold the checkpoint
  has_checkpoint boolean NOT NULL DEFAULT false
);

-- When a run was repeated in stores that were restored from a backup made before it.
ALTER TABLE retention_runs ADD COLUMN reapplied_at timestamptz;
