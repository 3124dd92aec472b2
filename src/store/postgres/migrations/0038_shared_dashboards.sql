-- Up Migration
CREATE TABLE shared_dashboards (
  id text PRIMARY KEY,
  website_id text NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
  organization_id text NOT NULL,
  name text NOT NULL,
  -- SHA-256 of the link's token in hex; the token itself is not stored
  token_hash text NOT NULL UNIQUE,
  -- scrypt, as of people's passwords; null: the link suffices
  password_hash text,
  types text[] NOT NULL,
  filters jsonb NOT NULL,
  origins text[] NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX shared_dashboards_website ON shared_dashboards (website_id, created_at);
