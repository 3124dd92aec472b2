-- Up Migration
-- The first UTC day of which a website has daily figures: without a gap from then on. Null: none were made yet.
ALTER TABLE websites ADD COLUMN figures_from date;
