-- Up Migration
-- What the owner of a website excludes from its figures: lists by kind, none by default.
ALTER TABLE websites ADD COLUMN rules jsonb NOT NULL DEFAULT '{}';
