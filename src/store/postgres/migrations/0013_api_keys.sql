-- Up Migration
ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz;

-- Down Migration
ALTER TABLE api_keys DROP COLUMN last_used_at;
