-- Up Migration
CREATE TABLE links (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id),
  -- null where it belongs to the organization only
  website_id text REFERENCES websites (id) ON DELETE CASCADE,
  -- as it was given; upper and lower case are the same link
  slug text NOT NULL,
  name text NOT NULL DEFAULT '',
  -- null: the service's own
  domain text,
  target_url text NOT NULL,
  -- the website that the target lies on; null when on none of the organization's
  target_website_id text REFERENCES websites (id) ON DELETE SET NULL,
  ios_url text,
  android_url text,
  desktop_url text,
  -- source, medium, campaign, term, content
  utm jsonb NOT NULL DEFAULT '{}',
  expires_at timestamptz,
  expired_url text,
  click_limit integer CHECK (click_limit > 0),
  -- clicks that count towards the limit, while there is one
  limited_clicks integer NOT NULL DEFAULT 0,
  -- salt:key in hex, scrypt with N 16384, r 16, p 1
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE UNIQUE INDEX links_live_slug ON links (lower(slug)) WHERE deleted_at IS NULL;
CREATE INDEX links_slug ON links (lower(slug));
CREATE INDEX links_organization ON links (organization_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX links_website ON links (website_id);
CREATE INDEX links_target_website ON links (target_website_id) WHERE deleted_at IS NULL;
CREATE INDEX links_domain ON links (domain) WHERE deleted_at IS NULL AND domain IS NOT NULL;

-- Wrong passwords of short links, by link and by link and visitor. Unlogged: after a crash of PostgreSQL they are counted from zero.
CREATE UNLOGGED TABLE link_password_failures (
  -- the link's id, with the visitor's network as a keyed hash whose key is destroyed every day
  subject text PRIMARY KEY,
  failures integer NOT NULL,
  -- Unix milliseconds: of the last failure, and until when no further attempt is allowed
  last_ms bigint NOT NULL,
  until_ms bigint NOT NULL
);
CREATE INDEX link_password_failures_last ON link_password_failures (last_ms);
