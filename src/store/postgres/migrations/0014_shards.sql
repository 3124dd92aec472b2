-- Up Migration
-- The QuestDBs of an installation that has several (SHARDS). A shard holds the rows of some organizations, each of its replicas all of them.
CREATE TABLE shards (
  name text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What replicas report. Their addresses are without passwords, which only the setting has.
CREATE TABLE store_replicas (
  shard text NOT NULL REFERENCES shards (name),
  replica text NOT NULL,
  questdb_http text NOT NULL,
  questdb_pg text NOT NULL,
  -- rebuilding: it lacks rows and is not read
  state text NOT NULL DEFAULT 'serving' CHECK (state IN ('serving', 'rebuilding')),
  -- by partition of the log, as text: everything before is stored
  offsets jsonb NOT NULL DEFAULT '{}',
  -- how long the oldest row that is not stored had been waiting at reported_at; both null as long as no consumer has reported
  lag_ms bigint,
  reported_at timestamptz,
  -- set while it lacks erasures: it has applied those that ended before, and is not read
  erased_until timestamptz,
  PRIMARY KEY (shard, replica)
);

-- What replicas missed because they did not answer; they are read again once all of it is done.
CREATE TABLE missed_erasures (
  shard text NOT NULL,
  replica text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('deletion', 'retention')),
  -- of the deletion or the run of retention
  id text NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- when the replica had made up for it
  erased_at timestamptz,
  PRIMARY KEY (kind, id, shard, replica),
  FOREIGN KEY (shard, replica) REFERENCES store_replicas (shard, replica)
);
CREATE INDEX missed_erasures_open ON missed_erasures (shard, replica) WHERE erased_at IS NULL;

-- The shard of each organization.
CREATE TABLE placements (
  organization_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  shard text NOT NULL REFERENCES shards (name),
  -- set while it moves: rows are written to both
  moving_to text REFERENCES shards (name) CHECK (moving_to <> shard),
  moving_since timestamptz,
  placed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX placements_shard ON placements (shard);
