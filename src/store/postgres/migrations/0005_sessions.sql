-- Up Migration
-- Dirty days: UTC days of websites that got events since their sessions and aggregates were last computed.
CREATE TABLE touched_days (
  website_id text NOT NULL,
  day date NOT NULL,
  touched_at timestamptz NOT NULL,
  -- when the last finished correction began; null before the first
  processed_at timestamptz,
  -- when the running correction began; null where there is none
  taken_at timestamptz,
  -- when the day was last touched as a whole; null when touched_hours lists all that changed
  whole_at timestamptz DEFAULT clock_timestamp(),
  PRIMARY KEY (website_id, day)
);

-- Dirty hours: hours that got events since the sessions of their day were last computed. Queries compute the sessions around them from
-- events.
CREATE TABLE touched_hours (
  website_id text NOT NULL,
  -- its first moment
  hour timestamptz NOT NULL,
  touched_at timestamptz NOT NULL,
  PRIMARY KEY (website_id, hour)
);

-- The definition that stored sessions were computed by. Queries use stored sessions only while it is the one in the code; after a change
-- every day with events waits in touched_days to be computed again.
CREATE TABLE sessions_version (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version integer NOT NULL
);
INSERT INTO sessions_version (version) VALUES (0);
