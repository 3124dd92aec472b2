-- Up Migration
-- Erasures of data, requested or due, with their receipts. No text of what is erased: a visitor is stored as a hash only.
CREATE TABLE deletions (
  id text PRIMARY KEY,
  -- purge: everything of a website that was deleted 90 days ago
  kind text NOT NULL CHECK (kind IN ('request', 'purge')),
  website_id text NOT NULL REFERENCES websites (id),
  organization_id text NOT NULL REFERENCES organizations (id),
  -- whole days, both included, of the time zone that the website had
  start_date date NOT NULL,
  end_date date NOT NULL,
  time_zone text NOT NULL,
  -- the same days in Unix ms, end exclusive; an end in the future becomes the present once that is reached
  from_ms bigint NOT NULL,
  until_ms bigint NOT NULL,
  data_types text[] NOT NULL,
  -- null: all visitors
  visitor_key bigint,
  -- rows by data type at the time of the request
  deleted jsonb NOT NULL,
  status text NOT NULL DEFAULT 'processing' CHECK (status IN ('processing', 'completed')),
  phase text NOT NULL DEFAULT 'waiting' CHECK (phase IN ('waiting', 'erasing', 'recomputing', 'releasing', 'done')),
  -- rows by table once new rows were blocked; counted once
  rows_before jsonb,
  -- UTC days with rows, newest first; those whose sessions and aggregates are computed again; those that are erased
  days date[],
  touched_days date[],
  days_done date[] NOT NULL DEFAULT '{}',
  -- the last check that found no row
  rows_after jsonb,
  unreadable_at timestamptz,
  exports_withdrawn text[] NOT NULL DEFAULT '{}',
  gone_at timestamptz,
  -- directories that did not report when the bytes were gone everywhere else: [{"place", "lastSeenAt"}]
  logs_away jsonb NOT NULL DEFAULT '[]',
  receipt jsonb,
  -- key or person of a request, null of a purge
  requested_by text,
  request_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- when its workflow was last requested; null: not yet
  started_at timestamptz,
  completed_at timestamptz
);
CREATE INDEX deletions_website ON deletions (website_id, created_at);
CREATE UNIQUE INDEX deletions_purge ON deletions (website_id) WHERE kind = 'purge';
CREATE INDEX deletions_open ON deletions (started_at NULLS FIRST) WHERE status = 'processing';

-- Rows that must not be stored: those of these tables with a time in the range that were received before the range was closed.
CREATE TABLE erased_ranges (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deletion_id text NOT NULL REFERENCES deletions (id),
  website_id text NOT NULL,
  tables text[] NOT NULL,
  from_ms bigint NOT NULL,
  until_ms bigint NOT NULL,
  visitor_key bigint,
  -- null: no row is stored, whenever it was received
  closed_at timestamptz,
  -- never closed: records whose source rows remain, which would otherwise be computed again
  lasting boolean NOT NULL DEFAULT false,
  UNIQUE (deletion_id, tables, from_ms)
);
CREATE INDEX erased_ranges_website ON erased_ranges (website_id);

-- Runs that erased data past its retention.
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

-- What these runs erase, recorded before it is erased.
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
CREATE INDEX retention_erased_day ON retention_erased (website_id, day);
