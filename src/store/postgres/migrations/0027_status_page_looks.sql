-- Up Migration
ALTER TABLE status_pages
  -- #rrggbb; empty: that of the service
  ADD COLUMN accent_color text NOT NULL DEFAULT '',
  -- {name, width, height}; null: no picture
  ADD COLUMN logo jsonb;

-- Pictures of pages, as they are served. Several APIs have this database in common.
CREATE TABLE status_page_logos (
  page_id text PRIMARY KEY REFERENCES status_pages (id) ON DELETE CASCADE,
  -- the last part of its address, a hash of the picture: two pages may have the same
  name text NOT NULL,
  image bytea NOT NULL
);
CREATE INDEX status_page_logos_name ON status_page_logos (name);

-- Settings of pages that are looked at before they are kept.
CREATE TABLE status_page_previews (
  -- SHA-256 of the secret part of its address
  token_hash text PRIMARY KEY,
  website_id text NOT NULL REFERENCES websites (id),
  -- the settings, as a row of status_pages has them
  page jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX status_page_previews_website ON status_page_previews (website_id);
