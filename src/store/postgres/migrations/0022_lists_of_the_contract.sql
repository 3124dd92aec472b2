-- Up Migration
-- The contract checks these values, and its lists grow.
ALTER TABLE notification_channels DROP CONSTRAINT notification_channels_kind_check;
ALTER TABLE exports DROP CONSTRAINT exports_format_check;

-- Down Migration
ALTER TABLE exports ADD CONSTRAINT exports_format_check CHECK (format IN ('csv', 'json', 'parquet'));
ALTER TABLE notification_channels ADD CONSTRAINT notification_channels_kind_check CHECK (kind IN ('webhook', 'email', 'slack'));
