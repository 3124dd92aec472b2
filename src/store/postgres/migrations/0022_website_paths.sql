-- Up Migration
-- How the paths of a website's pages are stored: whether one trailing slash is removed, and which query parameters belong to a page.
ALTER TABLE websites ADD COLUMN paths jsonb NOT NULL DEFAULT '{"trailingSlash": "keep", "queryParameters": []}';
