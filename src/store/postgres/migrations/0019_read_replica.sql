-- Up Migration
-- The replica of the shard that processes read; null until queries have gone over to another one: then the first.
ALTER TABLE shards ADD COLUMN read_replica text;
