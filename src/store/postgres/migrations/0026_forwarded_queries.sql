-- Up Migration
-- Whether the query of a short link's address goes to its target.
ALTER TABLE links ADD COLUMN forward_query boolean NOT NULL DEFAULT true;
