-- Up Migration
-- When API processes took events: one row for each time without an interruption of an hour, brought up to date each minute. That no events are
-- stored of an interruption does not mean that none happened. Nothing is known about the time before the first row.
CREATE TABLE serving_times (from_at timestamptz PRIMARY KEY, until_at timestamptz NOT NULL);
