-- Up Migration
-- One row, today's. Unlogged: a salt must be in no write-ahead log and no backup. Losing it in a crash only makes a new one.
CREATE UNLOGGED TABLE daily_salts (
  day date PRIMARY KEY,
  salt bytea NOT NULL CHECK (length(salt) = 32)
);

-- Down Migration
DROP TABLE daily_salts;
