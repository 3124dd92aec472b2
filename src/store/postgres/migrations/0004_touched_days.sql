-- Up Migration
-- UTC days of websites that got events since their sessions and aggregates were last made from events.
CREATE TABLE touched_days (
  website_id text NOT NULL,
  day date NOT NULL,
  touched_at timestamptz NOT NULL,
  -- when the last finished correction began; null before the first
  processed_at timestamptz,
  -- when the correction began that is not finished; null where there is none
  taken_at timestamptz,
  PRIMARY KEY (website_id, day)
);

-- Down Migration
DROP TABLE touched_days;
