-- Up Migration
-- Erasures of data, asked for or due, with what proves them. No text of what is erased: a visitor is kept as a hash only.
CREATE TABLE deletions (
  id text PRIMARY KEY,
  -- purge: everything of a website that was deleted long ago
  kind text NOT NULL CHECK (kind IN ('request', 'purge')),
  website_id text NOT NULL REFERENCES websites (id),
  organization_id text NOT NULL REFERENCES organizations (id),
  -- whole days, both included, of the time zone that the website had
  start_date date NOT NULL,
  end_date date NOT NULL,
  time_zone text NOT NULL,
  -- the same days in Unix ms; the end does not belong to them, and becomes the present once that was reached
  from_ms bigint NOT NULL,
  until_ms bigint NOT NULL,
  data_types text[] NOT NULL,
  -- null: everyone's
  visitor_key bigint,
  -- rows by data type when it was asked for
  deleted jsonb NOT NULL,
  status text NOT NULL DEFAULT 'processing' CHECK (status IN ('processing', 'completed')),
  phase text NOT NULL DEFAULT 'waiting' CHECK (phase IN ('waiting', 'erasing', 'recomputing', 'releasing', 'done')),
  -- rows by table once nothing more could come in; counted once
  rows_before jsonb,
  -- UTC days with rows, newest first, those of them whose sessions and aggregates are made again, and those that are erased
  days date[],
  touched_days date[],
  days_done date[] NOT NULL DEFAULT '{}',
  -- the last check that found no row
  rows_after jsonb,
  unreadable_at timestamptz,
  exports_withdrawn text[] NOT NULL DEFAULT '{}',
  gone_at timestamptz,
  receipt jsonb,
  -- key or person of a request, null of a purge
  requested_by text,
  request_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- when its workflow was last asked to run; null while it was not
  started_at timestamptz,
  completed_at timestamptz
);
CREATE INDEX deletions_website ON deletions (website_id, created_at);
CREATE UNIQUE INDEX deletions_purge ON deletions (website_id) WHERE kind = 'purge';
CREATE INDEX deletions_open ON deletions (started_at NULLS FIRST) WHERE status = 'processing';

-- What may not be stored: rows of these tables with a time in the range that were received before the range was closed.
CREATE TABLE erased_ranges (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deletion_id text NOT NULL REFERENCES deletions (id),
  website_id text NOT NULL,
  tables text[] NOT NULL,
  from_ms bigint NOT NULL,
  until_ms bigint NOT NULL,
  visitor_key bigint,
  -- null while nothing may be stored, whenever it was received
  closed_at timestamptz,
  -- never closed: records whose source was left, which would else be made again
  lasting boolean NOT NULL DEFAULT false,
  UNIQUE (deletion_id, tables, from_ms)
);
CREATE INDEX erased_ranges_website ON erased_ranges (website_id);

-- when nothing was left of a website that was deleted long ago
ALTER TABLE websites ADD COLUMN purged_at timestamptz;

-- Down Migration
ALTER TABLE websites DROP COLUMN purged_at;
DROP TABLE erased_ranges;
DROP TABLE deletions;
