-- Up Migration
-- Calls of the last two windows of a minute, for limits that hold over all processes. After a crash of PostgreSQL they begin anew.
CREATE UNLOGGED TABLE call_counts (
  subject text NOT NULL,
  number bigint NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (subject, number)
);
CREATE INDEX call_counts_number ON call_counts (number);

-- Down Migration
DROP TABLE call_counts;
