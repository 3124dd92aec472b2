-- Up Migration
-- Wrong passwords of short links, by link and by link and visitor. After a crash of PostgreSQL they are counted anew.
CREATE UNLOGGED TABLE link_password_failures (
  -- the link's id, with the visitor's network as a keyed hash whose key is destroyed every day
  subject text PRIMARY KEY,
  failures integer NOT NULL,
  -- Unix milliseconds; the second until when nobody may try again
  last_ms bigint NOT NULL,
  until_ms bigint NOT NULL
);
CREATE INDEX link_password_failures_last ON link_password_failures (last_ms);

-- Down Migration
DROP TABLE link_password_failures;
