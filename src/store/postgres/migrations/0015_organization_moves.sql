-- Up Migration
-- How far the move of an organization is that `moving_to` names:
--   copying: read and written on `shard`; the rows are being copied to `moving_to`
--   both: read on `shard`, written on both
--   switched: read on `shard`, which is the new one now, written on both; `moving_to` is the old one
--   leaving: read and written on `shard`; the rows are being erased on `moving_to`, the old one
ALTER TABLE placements
  ADD COLUMN moving_state text CHECK (moving_state IN ('copying', 'both', 'switched', 'leaving')),
  ADD CONSTRAINT placements_moving CHECK ((moving_to IS NULL) = (moving_state IS NULL));

-- The number of changes of placements: a process that has seen a number knows all changes up to it.
CREATE TABLE placement_epoch (epoch bigint NOT NULL);
INSERT INTO placement_epoch VALUES (0);

-- The changes of placements that the process of a log knows; null: it has not said so yet.
ALTER TABLE log_directories ADD COLUMN placement_epoch bigint;

-- Organizations that move or have moved to another shard.
CREATE TABLE organization_moves (
  id text PRIMARY KEY,
  workflow_id text NOT NULL,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  from_shard text NOT NULL REFERENCES shards (name),
  to_shard text NOT NULL REFERENCES shards (name) CHECK (to_shard <> from_shard),
  phase text NOT NULL DEFAULT 'copying' CHECK (phase IN ('copying', 'both', 'switched', 'leaving', 'done', 'cancelled')),
  -- what it does now, or waits for
  progress text NOT NULL DEFAULT 'waiting for a worker',
  -- positions in the log of the old shard, by partition, as text: before it a row's id alone is taken over, from it on the whole row
  ids_until jsonb,
  -- up to where it is taken over
  taken_until jsonb,
  rows_copied bigint NOT NULL DEFAULT 0,
  -- on the old shard, once nothing is written there any more: rows by table, and days
  rows_before jsonb,
  days date[],
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- since when queries read the new shard
  switched_at timestamptz,
  -- since when nothing is written to the old one
  left_at timestamptz,
  completed_at timestamptz,
  -- what was removed from the old shard
  receipt jsonb
);
CREATE UNIQUE INDEX organization_moves_running ON organization_moves (organization_id) WHERE completed_at IS NULL;
CREATE INDEX organization_moves_left ON organization_moves (from_shard, left_at) WHERE left_at IS NOT NULL;
