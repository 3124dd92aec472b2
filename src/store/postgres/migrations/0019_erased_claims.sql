-- Up Migration
-- Tables whose rows of an event were erased: they are not stored again as long as the claim holds. Null for most.
ALTER TABLE event_claims ADD COLUMN erased_tables text[];

-- Down Migration
ALTER TABLE event_claims DROP COLUMN erased_tables;
