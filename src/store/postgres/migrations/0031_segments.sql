-- Up Migration
-- Saved filters of a website.
CREATE TABLE segments (
  id text PRIMARY KEY,
  website_id text NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- whose it is; null: shared
  user_id text,
  name text NOT NULL,
  -- [{field, op, value}], in the form of queries
  filters jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- A person who leaves the organization takes their own along.
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX segments_name ON segments (website_id, coalesce(user_id, ''), lower(name));
CREATE INDEX segments_member ON segments (organization_id, user_id);
