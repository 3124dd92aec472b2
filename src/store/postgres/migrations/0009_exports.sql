-- Up Migration
CREATE TABLE exports (
  id text PRIMARY KEY,
  website_id text NOT NULL REFERENCES websites (id),
  organization_id text NOT NULL REFERENCES organizations (id),
  format text NOT NULL,
  data_types text[] NOT NULL,
  -- whole days, both included, of the time zone that the website had
  start_date date NOT NULL,
  end_date date NOT NULL,
  time_zone text NOT NULL,
  -- the same days as instants, end exclusive
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'processing' CHECK (status IN ('processing', 'completed', 'failed', 'cancelled', 'expired')),
  -- why it failed, was cancelled or withdrawn
  reason text,
  -- how long the file is kept once it is complete
  valid_ms bigint NOT NULL,
  -- rows at the time of the request
  rows_total bigint NOT NULL,
  rows_written bigint NOT NULL DEFAULT 0,
  -- how many of them are in the archive
  rows_packed bigint NOT NULL DEFAULT 0,
  -- rows a second of the last export of the same format when this one was requested; null: there was none
  usual_writing float8,
  usual_packing float8,
  -- size and SHA-256 of the archive, null until it is complete
  bytes bigint,
  sha256 text,
  -- the storage that has the files; null before the first is written, and with a bucket
  storage_id text,
  -- the erasure that withdrew it
  withdrawn_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- when the first row was read, and packing began
  started_at timestamptz,
  packing_at timestamptz,
  completed_at timestamptz,
  expires_at timestamptz,
  -- when it failed, was cancelled, withdrawn or expired
  ended_at timestamptz,
  -- when its files were removed
  removed_at timestamptz,
  -- when a download was last recorded in the audit log
  download_audited_at timestamptz
);
CREATE INDEX exports_website ON exports (website_id, created_at DESC, id DESC);
CREATE INDEX exports_running ON exports (organization_id) WHERE status = 'processing';
-- files that should be removed
CREATE INDEX exports_unremoved ON exports (ended_at) WHERE removed_at IS NULL AND ended_at IS NOT NULL;
CREATE INDEX exports_withdrawn ON exports (withdrawn_by) WHERE withdrawn_by IS NOT NULL;
CREATE INDEX exports_speed ON exports (format, completed_at DESC) WHERE completed_at IS NOT NULL AND rows_written >= 10000;

-- One row: the secret that signs download addresses, made on first use.
CREATE TABLE export_secrets (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  secret bytea NOT NULL
);

-- Directories of machines that store exports where there is no bucket. Their workers report every few seconds.
CREATE TABLE export_storages (
  -- also in a file in the directory
  id text PRIMARY KEY,
  -- host and path, for operators
  place text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
