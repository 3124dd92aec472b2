-- Up Migration
-- The time under which the event of an id is stored, for 24 hours: a repeated event with another time becomes the same row.
CREATE TABLE event_claims (
  -- 52 bits of a SHA-256 of website and id, and 32 bits of another one, so that two ids never share a claim
  event_key bigint NOT NULL,
  key_check integer NOT NULL,
  -- microseconds since 1970
  ts_us bigint NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (event_key, key_check)
);
-- Rows are written in the order of this column, so block ranges find the old ones at next to no cost.
CREATE INDEX event_claims_claimed_at ON event_claims USING brin (claimed_at) WITH (pages_per_range = 16);

-- Down Migration
DROP TABLE event_claims;
