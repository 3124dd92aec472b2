-- Up Migration
-- The hour of the website's oldest event or outgoing link, marked before it is stored; null: none was sent yet. Queries answer no figure for
-- the days before, which are those of the website's time zone. Of earlier events only the UTC day is known. first_event_on is for processes
-- of the version before.
ALTER TABLE websites ADD COLUMN first_event_at timestamptz;
UPDATE websites SET first_event_at = first_event_on::timestamp AT TIME ZONE 'UTC' WHERE first_event_on IS NOT NULL;
