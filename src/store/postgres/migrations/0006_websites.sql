-- Up Migration
-- Days for which data is kept; null: the service's own period.
ALTER TABLE websites
  ADD COLUMN raw_events_days integer,
  ADD COLUMN aggregated_days integer,
  ADD COLUMN performance_days integer,
  ADD COLUMN custom_events_days integer;

-- Whether the deletion of its website stopped the monitor: the website's restoration starts it again.
ALTER TABLE monitors ADD COLUMN stopped_with_website boolean NOT NULL DEFAULT false;

-- Who changed what. Nothing is ever changed here, so it names objects and keys that are long gone: no foreign keys.
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
  -- the changed fields without secrets; null before it was made and after it is gone
  before jsonb,
  after jsonb,
  request_id text NOT NULL
);
CREATE INDEX audit_log_organization ON audit_log (organization_id, id DESC);
CREATE INDEX audit_log_website ON audit_log (website_id, id DESC);

-- Down Migration
DROP TABLE audit_log;
ALTER TABLE monitors DROP COLUMN stopped_with_website;
ALTER TABLE websites
  DROP COLUMN raw_events_days,
  DROP COLUMN aggregated_days,
  DROP COLUMN performance_days,
  DROP COLUMN custom_events_days;
