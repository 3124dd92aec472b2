-- Up Migration
-- The UTC day of the website's oldest event or outgoing link, marked before it is stored; null: none was sent yet. Queries answer no figure
-- for the time before. All days are marked again after this update, because the form of stored sessions has changed.
ALTER TABLE websites ADD COLUMN first_event_on date;
