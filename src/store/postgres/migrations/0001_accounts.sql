-- Up Migration
CREATE TABLE organizations (
  id text PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id),
  email text NOT NULL,
  -- salt:key in hex, scrypt with N 16384, r 16, p 1
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE websites (
  id text PRIMARY KEY,
  client_id text NOT NULL UNIQUE,
  organization_id text NOT NULL REFERENCES organizations (id),
  name text NOT NULL,
  domain text NOT NULL,
  timezone text NOT NULL DEFAULT 'UTC',
  public_access boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX websites_organization ON websites (organization_id, name);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id),
  name text NOT NULL,
  -- SHA-256 of the key in hex; the key itself is kept nowhere
  key_hash text NOT NULL UNIQUE,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  -- null: all websites of the organization
  website_ids text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_keys_organization ON api_keys (organization_id);

-- Down Migration
DROP TABLE api_keys;
DROP TABLE websites;
DROP TABLE users;
DROP TABLE organizations;
