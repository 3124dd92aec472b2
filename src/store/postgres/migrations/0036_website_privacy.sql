-- Up Migration
-- What is stored of a website's visitors: the finest place of new events, and how long their ids stay the same.
ALTER TABLE websites ADD COLUMN privacy jsonb NOT NULL DEFAULT '{"place": "city", "ids": "sent"}';
