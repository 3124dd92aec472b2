-- Up Migration
CREATE TABLE websites (
  id text PRIMARY KEY,
  client_id text NOT NULL UNIQUE,
  organization_id text NOT NULL REFERENCES organizations (id),
  name text NOT NULL,
  domain text NOT NULL,
  timezone text NOT NULL DEFAULT 'UTC',
  public_access boolean NOT NULL DEFAULT false,
  -- days for which data is kept; null: the service's default
  raw_events_days integer,
  aggregated_days integer,
  performance_days integer,
  custom_events_days integer,
  -- shorter periods that are not yet in effect, see src/retention/periods.ts; null: none
  pending_retention jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  -- when the data of a deleted website was erased
  purged_at timestamptz
);
CREATE INDEX websites_organization ON websites (organization_id, name);
CREATE INDEX websites_pending_retention ON websites (id) WHERE pending_retention IS NOT NULL;
