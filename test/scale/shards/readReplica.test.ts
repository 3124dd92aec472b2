import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { ShardedQuestdbs } from "../../../src/scale/shards/shardedQuestdbs.ts";
import { recordShards } from "../../../src/scale/shards/storeReplicas.ts";
import { preparePostgres } from "../../../src/store/postgres/postgres.ts";
import { createDatabase, type OwnDatabase } from "../../kit/stores/ownDatabase.ts";

/** What a process asks to see how a replica answers: it answers, or hangs. */
type Replica = { hangs: boolean; readonly server: Server; readonly http: string };

const log = pino({ level: "silent" });
let own: OwnDatabase;
let replicas: Replica[];
let stop: AbortController;
let processes: ShardedQuestdbs[];

beforeEach(async () => {
  stop = new AbortController();
  processes = [];
  own = await createDatabase();
  await preparePostgres(own.pool, log, stop.signal, async () => undefined);
  replicas = await Promise.all([startReplica(), startReplica()]);
  await recordShards(own.pool, settings().shards);
});

afterEach(async () => {
  stop.abort();
  await Promise.all(processes.map((each) => each.close()));
  for (const { server } of replicas) {
    server.closeAllConnections();
    server.close();
  }
  await own.remove();
});

async function startReplica(): Promise<Replica> {
  const server = createServer((_, response) => {
    if (!replica.hangs) response.end('{"dataset":[[1]]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const replica = { hangs: false, server, http: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  return replica;
}

/** Both replicas are the QuestDB of all tests. */
function settings() {
  const shard = replicas.map(({ http }) => `${http}|${inject("lookout").questdbPg}`).join(",");
  return readConfig({ SHARDS: `s1=${shard}`, KAFKA_BROKERS: "127.0.0.1:1" }).questdb;
}

function startProcess(): ShardedQuestdbs {
  const nodes = new ShardedQuestdbs(settings(), own.pool, log, 1_000);
  processes.push(nodes);
  void nodes.watch(stop.signal);
  return nodes;
}

const read = async () => await Promise.all(processes.map(async (each) => (await each.nodeOfShard("s1")).name));

test("processes follow one that reads another replica, also when theirs answers again", async () => {
  for (const _ of [1, 2, 3]) startProcess();
  expect(await read()).toEqual(["s1/a", "s1/a", "s1/a"]);
  const [first] = replicas;
  if (first === undefined) throw new Error("no replica");
  first.hangs = true;
  await expect.poll(read, { interval: 20 }).toContain("s1/b");
  first.hangs = false;
  await expect.poll(read).toEqual(["s1/b", "s1/b", "s1/b"]);
  // One that starts reads it too.
  startProcess();
  await expect.poll(read).toEqual(["s1/b", "s1/b", "s1/b", "s1/b"]);
});

test("a process that starts while the replica that others read hangs for it goes there once that answers", async () => {
  const [first] = replicas;
  if (first === undefined) throw new Error("no replica");
  first.hangs = true;
  const nodes = startProcess();
  await expect.poll(() => nodes.nodes[0]?.lostSinceMs).toBeDefined();
  expect(await read()).toEqual(["s1/b"]);
  first.hangs = false;
  await expect.poll(read).toEqual(["s1/a"]);
});
