-- Up Migration
-- Whether a website measures its audience only, and the fewest visitors of a group that is shown then.
ALTER TABLE websites ALTER COLUMN privacy SET DEFAULT '{"place": "city", "ids": "sent", "audienceOnly": false, "smallestGroup": 10}';
UPDATE websites SET privacy = '{"audienceOnly": false, "smallestGroup": 10}'::jsonb || privacy;
