-- Up Migration
-- Slugs that an organization has used: a published address must never show the page of another organization.
CREATE TABLE status_page_slugs (
  slug text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id)
);

CREATE TABLE status_pages (
  id text PRIMARY KEY,
  website_id text NOT NULL REFERENCES websites (id),
  slug text NOT NULL CONSTRAINT status_pages_slug UNIQUE REFERENCES status_page_slugs (slug),
  title text NOT NULL,
  logo_text text NOT NULL,
  description text NOT NULL,
  published boolean NOT NULL,
  -- [{name, monitorIds}]; empty: all monitors of the website
  groups jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX status_pages_website ON status_pages (website_id);

CREATE TABLE status_reports (
  id text PRIMARY KEY,
  page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  title text NOT NULL,
  -- that of the last update
  status text NOT NULL,
  monitor_ids text[] NOT NULL,
  -- the incident that it explains
  incident_id text,
  started_at timestamptz NOT NULL,
  resolved_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX status_reports_page ON status_reports (page_id, created_at DESC);

CREATE TABLE status_report_updates (
  id text PRIMARY KEY,
  report_id text NOT NULL REFERENCES status_reports (id) ON DELETE CASCADE,
  status text NOT NULL,
  text text NOT NULL,
  posted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX status_report_updates_report ON status_report_updates (report_id, posted_at DESC);
