import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { ShardSettings } from "../../../src/config.ts";
import {
  readReplicas,
  recordReadReplica,
  recordShards,
  reportReplica,
  setReplicaState,
} from "../../../src/scale/shards/storeReplicas.ts";

// A separate schema: the running product has one QuestDB.
const schema = `shards_${randomUUID().replaceAll("-", "")}`;
let postgres: pg.Pool;

beforeAll(async () => {
  postgres = new pg.Pool({ connectionString: inject("lookout").databaseUrl, options: `-c search_path=${schema}` });
  postgres.on("error", () => undefined);
  await postgres.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.organizations (id text PRIMARY KEY)`);
  await postgres.query("INSERT INTO organizations VALUES ('old')");
  for (const migration of ["0014_shards", "0019_read_replica"])
    await postgres.query(await readFile(`src/store/postgres/migrations/${migration}.sql`, "utf8"));
});

afterAll(async () => {
  await postgres.query(`DROP SCHEMA ${schema} CASCADE`);
  await postgres.end();
});

const replica = (name: string) => ({
  name,
  http: `http://admin:hunter2@${name}:9000`,
  pg: `postgres://admin:hunter2@${name}:8812/qdb`,
});

const shards: readonly ShardSettings[] = [
  { name: "s1", replicas: [replica("a"), replica("b")] },
  { name: "s2", replicas: [replica("a")] },
];

test("replicas are recorded without passwords, and what they report stays when a process starts again", async () => {
  await recordShards(postgres, shards);
  await reportReplica(postgres, { shard: "s1", replica: "b" }, { offsets: { 0: "9007199254740993" }, lagMs: 40.4 });
  await setReplicaState(postgres, { shard: "s2", replica: "a" }, "rebuilding");
  await postgres.query("INSERT INTO organizations VALUES ('new')");
  await recordShards(postgres, shards);

  const silent = { state: "serving", offsets: {}, lagMs: null, reportAgeMs: null, erasedUntilMs: null, isRead: false };
  expect(await readReplicas(postgres)).toEqual([
    { shard: "s1", replica: "a", ...silent },
    {
      shard: "s1",
      replica: "b",
      ...silent,
      offsets: { 0: "9007199254740993" },
      lagMs: expect.any(Number),
      reportAgeMs: expect.any(Number),
    },
    { shard: "s2", replica: "a", ...silent, state: "rebuilding" },
  ]);
  const { rows } = await postgres.query("SELECT questdb_http || questdb_pg AS addresses FROM store_replicas");
  expect(JSON.stringify(rows)).not.toContain("hunter2");
  // What was there before the first start with shards is in the first one.
  const { rows: placed } = await postgres.query("SELECT organization_id, shard FROM placements");
  expect(placed).toEqual([{ organization_id: "old", shard: "s1" }]);
});

test("the lag of a replica whose consumer reports no more grows", async () => {
  await reportReplica(postgres, { shard: "s1", replica: "a" }, { offsets: {}, lagMs: 10 });
  await postgres.query(
    "UPDATE store_replicas SET reported_at = reported_at - interval '1 hour' WHERE shard = 's1' AND replica = 'a'",
  );
  const [first] = await readReplicas(postgres);
  expect(first?.lagMs).toBeGreaterThan(3_600_000);
});

test("the replica that processes read is one of each shard, and none before queries have gone over", async () => {
  const read = async () =>
    (await readReplicas(postgres)).filter(({ isRead }) => isRead).map(({ shard, replica }) => shard + replica);
  expect(await read()).toEqual([]);
  await recordReadReplica(postgres, { shard: "s1", replica: "b" });
  expect(await read()).toEqual(["s1b"]);
  await recordReadReplica(postgres, { shard: "s1", replica: "a" });
  expect(await read()).toEqual(["s1a"]);
});

test("a replica that SHARDS does not name cannot report", async () => {
  const report = reportReplica(postgres, { shard: "s3", replica: "a" }, { offsets: {}, lagMs: 0 });
  await expect(report).rejects.toThrow("no replica a of the shard s3");
});

test("a replica that is added to a shard with consumers is not read before its own consumer says so", async () => {
  await reportReplica(postgres, { shard: "s1", replica: "a" }, { offsets: {}, lagMs: 10 });
  const grown = shards.map(({ name, replicas }) => ({ name, replicas: [...replicas, replica("c")] }));
  await recordShards(postgres, grown);
  const added = (await readReplicas(postgres)).filter((each) => each.replica === "c");
  // The second shard has no report, as without brokers, where no consumer runs.
  expect(added.map(({ shard, state }) => [shard, state])).toEqual([
    ["s1", "rebuilding"],
    ["s2", "serving"],
  ]);
});
