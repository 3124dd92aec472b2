-- Up Migration
-- Since when events that are not stored are counted: from now on for websites that exist, and from their creation for others.
ALTER TABLE websites ADD COLUMN excluded_from timestamptz NOT NULL DEFAULT now();
