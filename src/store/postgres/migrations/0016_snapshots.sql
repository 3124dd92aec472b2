-- Up Migration
-- A snapshot holds one replica alone, such as s1/b; null is a backup of everything.
ALTER TABLE backups ADD COLUMN replica text;
