-- Up Migration
-- The form of the stored sessions. Queries use them only when it is the one that they know; until then every day with events waits in
-- touched_days to be made anew.
CREATE TABLE sessions_version (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version integer NOT NULL
);
INSERT INTO sessions_version (version) VALUES (0);

-- Down Migration
DROP TABLE sessions_version;
