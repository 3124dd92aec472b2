-- Up Migration
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id),
  name text NOT NULL,
  -- SHA-256 of the key in hex; the key itself is not stored
  key_hash text NOT NULL UNIQUE,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  -- null: all websites of the organization
  website_ids text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX api_keys_organization ON api_keys (organization_id);

-- Calls of the last two windows of a minute, for rate limits that hold over all processes. Unlogged: after a crash of PostgreSQL they
-- start at zero.
CREATE UNLOGGED TABLE call_counts (
  subject text NOT NULL,
  number bigint NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (subject, number)
);
CREATE INDEX call_counts_number ON call_counts (number);

-- Who changed what. Rows never change, and name objects and keys that no longer exist: no foreign keys.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  organization_id text NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  -- such as website.update
  action text NOT NULL,
  object_type text NOT NULL,
  object_id text NOT NULL,
  -- null for what belongs to the organization
  website_id text,
  -- the changed fields without secrets; null before the object was created and after it was deleted
  before jsonb,
  after jsonb,
  request_id text NOT NULL
);
CREATE INDEX audit_log_organization ON audit_log (organization_id, id DESC);
CREATE INDEX audit_log_website ON audit_log (website_id, id DESC);
