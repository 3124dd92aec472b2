-- Up Migration
CREATE TABLE organizations (
  id text PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- People, in the form that better-auth works with (src/accounts/authOptions.ts maps its names to these).
CREATE TABLE users (
  id text PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL DEFAULT '',
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  -- Addresses such as owner@localhost are no full e-mail addresses: better-auth signs them in as names.
  sign_in_name text GENERATED ALWAYS AS (lower(email)) STORED,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON users (lower(email));
CREATE UNIQUE INDEX users_sign_in_name ON users (sign_in_name);

-- How a person signs in: with a password (provider "credential"), or at an OpenID Connect provider, whose tokens are not stored.
CREATE TABLE user_accounts (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider_id text NOT NULL,
  account_id text NOT NULL,
  -- salt:key in hex, scrypt with N 16384, r 16, p 1
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX user_accounts_user ON user_accounts (user_id);

CREATE TABLE members (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, user_id)
);
CREATE INDEX members_user ON members (user_id, created_at);

-- Two owners who demote each other at the same time must not leave an organization without one.
CREATE FUNCTION keep_an_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM organizations WHERE id = OLD.organization_id FOR UPDATE;
  IF FOUND AND NOT EXISTS (SELECT 1 FROM members WHERE organization_id = OLD.organization_id AND role = 'owner') THEN
    RAISE EXCEPTION 'an organization needs an owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'members_keep_an_owner';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER members_keep_an_owner AFTER UPDATE OR DELETE ON members
  FOR EACH ROW WHEN (OLD.role = 'owner') EXECUTE FUNCTION keep_an_owner();

-- Sign-in sessions. They have no address: where a person was is not stored.
CREATE TABLE sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the cookie's token in hex; the token itself is not stored
  token_hash text NOT NULL UNIQUE,
  -- such as "Firefox on Windows"
  device text,
  -- null: the one that the person has been a member of for longest
  active_organization_id text REFERENCES organizations (id) ON DELETE SET NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Pending confirmations, such as a link to set a new password. Identifiers are hashed.
CREATE TABLE verifications (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verifications_identifier ON verifications (identifier);

CREATE TABLE invitations (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'revoked')),
  inviter_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX invitations_pending ON invitations (organization_id, email) WHERE status = 'pending';

CREATE TABLE second_factors (
  id text PRIMARY KEY,
  user_id text NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  -- encrypted with the service's secret
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT true,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz,
  -- the last codes that were used to sign in: each works once (RFC 6238, section 5.2)
  used_codes text[] NOT NULL DEFAULT '{}'
);

-- Secrets that the service generated because a setting such as AUTH_SECRET is empty.
CREATE TABLE service_secrets (
  name text PRIMARY KEY,
  secret text NOT NULL
);

-- Failed sign-ins, by keyed hashes of accounts and addresses. Unlogged: no backup contains it.
CREATE UNLOGGED TABLE sign_in_failures (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- Unix milliseconds
  expire bigint
);
