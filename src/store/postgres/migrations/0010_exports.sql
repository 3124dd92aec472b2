-- Up Migration
CREATE TABLE exports (
  id text PRIMARY KEY,
  website_id text NOT NULL REFERENCES websites (id),
  organization_id text NOT NULL REFERENCES organizations (id),
  format text NOT NULL CHECK (format IN ('csv', 'json', 'parquet')),
  data_types text[] NOT NULL,
  -- whole days, both included, of the time zone that the website had
  start_date date NOT NULL,
  end_date date NOT NULL,
  time_zone text NOT NULL,
  -- the same days as instants; the end does not belong to them
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'processing' CHECK (status IN ('processing', 'completed', 'failed', 'cancelled', 'expired')),
  -- why it failed, was cancelled or withdrawn
  reason text,
  -- how long the file is kept once it is done
  valid_ms bigint NOT NULL,
  -- rows there were when it was asked for
  rows_total bigint NOT NULL,
  rows_written bigint NOT NULL DEFAULT 0,
  -- how many of them are in the archive
  rows_packed bigint NOT NULL DEFAULT 0,
  -- size and SHA-256 of the archive, null until it is done
  bytes bigint,
  sha256 text,
  -- the erasure that withdrew it
  withdrawn_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- when the first row was read, and the packing began
  started_at timestamptz,
  packing_at timestamptz,
  completed_at timestamptz,
  expires_at timestamptz,
  -- when it failed, was cancelled, withdrawn or expired
  ended_at timestamptz,
  -- when its files were gone
  removed_at timestamptz,
  -- when the audit log last told of a download
  download_noted_at timestamptz
);
CREATE INDEX exports_website ON exports (website_id, created_at DESC, id DESC);
CREATE INDEX exports_running ON exports (organization_id) WHERE status = 'processing';
-- files that should be gone
CREATE INDEX exports_unremoved ON exports (ended_at) WHERE removed_at IS NULL AND ended_at IS NOT NULL;
CREATE INDEX exports_withdrawn ON exports (withdrawn_by) WHERE withdrawn_by IS NOT NULL;

-- One row: what download addresses are signed with, made on first use.
CREATE TABLE export_secrets (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  secret bytea NOT NULL
);

-- Down Migration
DROP TABLE export_secrets;
DROP TABLE exports;
