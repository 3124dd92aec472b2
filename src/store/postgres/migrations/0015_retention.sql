-- Up Migration
-- Shorter periods that do not hold yet: {"periods", "effectiveAtMs", "wouldErase", "requestId", "isTold"}; null: there are none.
ALTER TABLE websites ADD COLUMN pending_retention jsonb;
CREATE INDEX websites_pending_retention ON websites (id) WHERE pending_retention IS NOT NULL;

-- Runs that erased what was past its retention.
CREATE TABLE retention_runs (
  id text PRIMARY KEY,
  -- null: a daily run over all websites
  website_id text REFERENCES websites (id),
  due_at timestamptz NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- null while it runs
  finished_at timestamptz
);
CREATE INDEX retention_runs_started ON retention_runs (started_at DESC);

-- What they erased, noted before it goes.
CREATE TABLE retention_erased (
  run_id text NOT NULL REFERENCES retention_runs (id) ON DELETE CASCADE,
  -- empty for what belongs to an organization only
  website_id text NOT NULL,
  kind text NOT NULL,
  -- UTC
  day date NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (run_id, website_id, kind, day)
);

-- Down Migration
DROP TABLE retention_erased;
DROP TABLE retention_runs;
ALTER TABLE websites DROP COLUMN pending_retention;
