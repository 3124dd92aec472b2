-- Up Migration
-- Words by which an organization sorts its websites.
ALTER TABLE websites ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
