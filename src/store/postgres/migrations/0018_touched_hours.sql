-- Up Migration
-- Hours that got events since the sessions of their day were last made from events. Queries make the sessions around these of events.
CREATE TABLE touched_hours (
  website_id text NOT NULL,
  -- its first moment
  hour timestamptz NOT NULL,
  touched_at timestamptz NOT NULL,
  PRIMARY KEY (website_id, hour)
);
-- When a day was last touched as a whole; null when all of it that changed stands in touched_hours.
ALTER TABLE touched_days ADD COLUMN whole_at timestamptz DEFAULT clock_timestamp();

-- Down Migration
ALTER TABLE touched_days DROP COLUMN whole_at;
DROP TABLE touched_hours;
