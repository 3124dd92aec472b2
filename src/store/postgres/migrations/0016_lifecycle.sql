-- Up Migration
-- Directories in which processes keep rows that are not stored yet, each reported by its process every few seconds.
CREATE TABLE spools (
  -- the directory's own name, which is random
  name text PRIMARY KEY,
  -- machine and path, for an operator
  place text NOT NULL,
  -- it holds no row that was received before this time; null: that is not known yet
  clear_until timestamptz,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Those that did not report when the bytes of an erasure were gone everywhere else: [{"place", "lastSeenAt"}].
ALTER TABLE deletions ADD COLUMN spools_away jsonb NOT NULL DEFAULT '[]';

-- Rows a second of the last export of the same format when this one was asked for; null: there was none.
ALTER TABLE exports ADD COLUMN usual_writing float8;
ALTER TABLE exports ADD COLUMN usual_packing float8;
CREATE INDEX exports_speed ON exports (format, completed_at DESC) WHERE completed_at IS NOT NULL AND rows_written >= 10000;

CREATE INDEX retention_erased_day ON retention_erased (website_id, day);

-- Down Migration
DROP INDEX retention_erased_day;
DROP INDEX exports_speed;
ALTER TABLE exports DROP COLUMN usual_packing;
ALTER TABLE exports DROP COLUMN usual_writing;
ALTER TABLE deletions DROP COLUMN spools_away;
DROP TABLE spools;
