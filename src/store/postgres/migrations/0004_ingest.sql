-- Up Migration
-- The time under which the event of an id is stored, for 24 hours: a repeated event with another time becomes the same row.
CREATE TABLE event_claims (
  -- 52 bits of a SHA-256 of website and id, and 32 bits of another one, so that two ids never share a claim
  event_key bigint NOT NULL,
  key_check integer NOT NULL,
  -- microseconds since 1970
  ts_us bigint NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  -- tables whose rows of the event were erased: they are not stored again as long as the claim holds; null for most
  erased_tables text[],
  PRIMARY KEY (event_key, key_check)
);
-- Rows are written in the order of this column, so block ranges find the old ones at next to no cost.
CREATE INDEX event_claims_claimed_at ON event_claims USING brin (claimed_at) WITH (pages_per_range = 16);

-- One row, today's. Unlogged: a salt must be in no write-ahead log and no backup. If a crash loses it, a new one is made.
CREATE UNLOGGED TABLE daily_salts (
  day date PRIMARY KEY,
  salt bytea NOT NULL CHECK (length(salt) = 32)
);

-- Directories in which processes keep rows that are not stored yet, each reported by its process every few seconds.
CREATE TABLE log_directories (
  -- the directory's own name, which is random
  name text PRIMARY KEY,
  -- machine and path, for an operator
  place text NOT NULL,
  -- the directory holds no row that was received before this time; null: not yet known
  clear_until timestamptz,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
