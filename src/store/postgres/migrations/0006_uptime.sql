-- Up Migration
CREATE TABLE monitors (
  id text PRIMARY KEY,
  website_id text NOT NULL REFERENCES websites (id),
  organization_id text NOT NULL REFERENCES organizations (id),
  url text NOT NULL,
  interval_ms integer NOT NULL,
  -- slots are due at phase_ms + k * interval_ms since 1970
  phase_ms integer NOT NULL,
  timeout_ms integer NOT NULL,
  cache_bust boolean NOT NULL,
  json_parsing_config jsonb,
  -- name, method, headers, body, expected status, keyword, thresholds, regions, versions, certificate notification, escalation
  options jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'stopped')),
  -- counts changes; the workflow was notified of those up to notified_revision
  revision integer NOT NULL DEFAULT 1,
  notified_revision integer NOT NULL DEFAULT 0,
  -- whether the deletion of its website stopped the monitor: restoring the website starts it again
  stopped_with_website boolean NOT NULL DEFAULT false,
  -- the last slot that was skipped, because the service could only have checked it too late
  unchecked_due_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX monitors_website ON monitors (website_id, created_at) WHERE deleted_at IS NULL;
CREATE INDEX monitors_unnotified ON monitors (updated_at) WHERE notified_revision < revision;

-- Times in which a monitor was scheduled: from its start or resumption to its pause or end. Slots outside are not unknown.
CREATE TABLE monitor_schedules (
  monitor_id text NOT NULL REFERENCES monitors (id),
  from_at timestamptz NOT NULL,
  -- null while it lasts
  until_at timestamptz,
  interval_ms integer NOT NULL,
  phase_ms integer NOT NULL,
  PRIMARY KEY (monitor_id, from_at)
);

CREATE TABLE incidents (
  -- <monitor>/<time of the first failed slot in ms>: the same transition always makes the same row
  id text PRIMARY KEY,
  monitor_id text NOT NULL REFERENCES monitors (id),
  started_at timestamptz NOT NULL,
  resolved_at timestamptz,
  first_error text NOT NULL,
  checks_affected integer NOT NULL,
  regions text[] NOT NULL,
  acknowledged_at timestamptz,
  acknowledged_by text,
  -- when the first notifications were made: escalation counts from then
  opened_at timestamptz,
  -- when its workflow was last requested; null: not yet
  escalation_started_at timestamptz
);
CREATE INDEX incidents_monitor ON incidents (monitor_id, started_at DESC);
CREATE INDEX incidents_open ON incidents (monitor_id) WHERE resolved_at IS NULL;

CREATE TABLE notification_channels (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id),
  name text NOT NULL,
  kind text NOT NULL,
  target text NOT NULL,
  -- signs a webhook's messages
  secret text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX notification_channels_organization ON notification_channels (organization_id, created_at) WHERE deleted_at IS NULL;

-- The outbox of notifications.
CREATE TABLE deliveries (
  -- a hash of the transition and the channel: one transition is notified once
  id text PRIMARY KEY,
  channel_id text NOT NULL REFERENCES notification_channels (id),
  organization_id text NOT NULL REFERENCES organizations (id),
  monitor_id text REFERENCES monitors (id),
  incident_id text REFERENCES incidents (id),
  event text NOT NULL,
  -- the message in the form that webhooks get; json keeps its text as it is
  message json NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'suppressed')),
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- when its workflow was last requested; null: not yet
  started_at timestamptz,
  delivered_at timestamptz
);
CREATE INDEX deliveries_organization ON deliveries (organization_id, created_at DESC);
CREATE INDEX deliveries_incident ON deliveries (incident_id);
CREATE INDEX deliveries_pending ON deliveries (started_at NULLS FIRST) WHERE status = 'pending';

CREATE TABLE maintenance_windows (
  id text PRIMARY KEY,
  website_id text NOT NULL REFERENCES websites (id),
  -- empty: all of the website
  monitor_ids text[] NOT NULL,
  title text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX maintenance_windows_website ON maintenance_windows (website_id, starts_at);
