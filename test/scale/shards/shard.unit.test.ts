import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { readConfig } from "../../../src/config.ts";
import type { Offsets } from "../../../src/durableLog/offsets.ts";
import { Shard } from "../../../src/scale/shards/shard.ts";
import type { StoredReplica } from "../../../src/scale/shards/storeReplicas.ts";
import { tableNames } from "../../../src/store/questdb/tables.ts";

const waiting = { timeout: 60_000, interval: 20 };

const servers: Server[] = [];
const stop = new AbortController();

afterEach(() => {
  stop.abort();
  for (const server of servers.splice(0)) close(server);
});

function close(server: Server | undefined): void {
  server?.closeAllConnections();
  server?.close();
}

/** Two replicas whose HTTP servers answer, hang or are gone as the test says. */
async function startShard(own: Partial<StoredReplica>[] = [{}, {}], endOf?: () => Promise<Offsets>) {
  const hangs = [false, false];
  const addresses = await Promise.all(
    hangs.map(async (_, index) => {
      const server = createServer((__, response) => {
        if (!hangs[index]) response.end('{"dataset":[[1]]}');
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  const replicas = addresses.map((http, index) => ({
    name: "ab"[index] ?? "",
    http,
    pg: "postgres://u:p@127.0.0.1:1/qdb",
  }));
  const stored = replicas.map(({ name }, index): StoredReplica => {
    const nothing = { state: "serving", erasedUntilMs: null, lagMs: null, reportAgeMs: null, offsets: {} } as const;
    return { shard: "s1", replica: name, isRead: false, ...nothing, ...own[index] };
  });
  const log = { info: () => undefined, warn: () => undefined };
  const shard: Shard = new Shard(
    { name: "s1", replicas },
    readConfig({ ...process.env, DATA_DIR: "/tmp" }).questdb,
    {
      refresh: async () => {
        // PostgreSQL takes a while.
        await pause(1);
        shard.note(stored, performance.now());
      },
      recordRead: async () => undefined,
      endOfLog: () => endOf,
    },
    log,
  );
  // There is no QuestDB behind these servers: what is stored counts as applied.
  const applied = tableNames.map((name) => ({ name, writerTxn: 1, sequencerTxn: 1, suspended: false }));
  for (const { reader } of shard.nodes) vi.spyOn(reader, "read").mockResolvedValue(applied);
  const watching = new AbortController();
  void shard.watch(AbortSignal.any([watching.signal, stop.signal]));
  const report = (replica: "a" | "b", more: Partial<StoredReplica>) => {
    const index = replica === "a" ? 0 : 1;
    stored[index] = { ...(stored[index] as StoredReplica), ...more };
    shard.note(stored, performance.now());
  };
  return { shard, hangs, report };
}

const repeatable = () => true;

test("while all replicas hang, a read goes on with the one that is read and is not given up", async () => {
  const { shard, hangs } = await startShard();
  const { name } = await shard.read();
  expect(name).toBe("s1/a");
  const answer = Promise.withResolvers<string>();
  let runs = 0;
  const reading = shard.run(
    (_, signal) => {
      runs += 1;
      signal?.addEventListener("abort", () => answer.reject(new Error("given up")));
      return answer.promise;
    },
    repeatable,
    undefined,
  );
  // The one that is read last: while only that one is known to hang, the other one would take over.
  for (const index of [1, 0]) {
    hangs[index] = true;
    await vi.waitFor(() => expect(shard.nodes[index]?.lostSinceMs).toBeDefined(), waiting);
  }
  // New reads go on with it too, at once.
  expect((await shard.read()).name).toBe("s1/a");
  expect(shard.notServing).toEqual([{ name: "s1/b", reason: "does not answer" }]);
  answer.resolve("the answer");
  expect(await reading).toBe("the answer");
  expect(runs).toBe(1);
});

test("a replica that refuses is tried again when no other one may be read", async () => {
  const { shard } = await startShard([{}, { state: "rebuilding" }]);
  expect((await shard.read()).name).toBe("s1/a");
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs > 1) return "the answer";
    close(servers[0]);
    throw Object.assign(new Error("broken"), { code: "ECONNRESET" });
  };
  expect(await shard.run(work, repeatable, undefined)).toBe("the answer");
  expect(runs).toBe(2);
  expect(shard.notServing).toEqual([
    { name: "s1/a", reason: "does not answer" },
    { name: "s1/b", reason: "is being rebuilt" },
  ]);
});

test("a read whose connection alone broke is repeated on the same replica", async () => {
  const { shard } = await startShard();
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs === 1) throw Object.assign(new Error("broken"), { code: "ECONNRESET" });
    return "the answer";
  };
  expect(await shard.run(work, repeatable, undefined)).toBe("the answer");
  expect((await shard.read()).name).toBe("s1/a");
  await expect(
    shard.run(async () => Promise.reject(new Error("no such column")), repeatable, undefined),
  ).rejects.toThrow("no such column");
});

test("8: from a replica that lags and answers, reads go over to one that has reached the end of the log, and no answer comes in between", async () => {
  const reported = { lagMs: 0, reportAgeMs: 100, offsets: { 0: "10" } };
  const { shard, report } = await startShard([reported, reported], async () => ({ 0: "20" }));
  expect((await shard.read()).name).toBe("s1/a");
  const slow = Promise.withResolvers<string>();
  const under: string[] = [];
  const reading = shard.run(
    async (reader) => {
      under.push(reader === shard.nodes[0]?.reader ? "a" : "b");
      return under.length === 1 ? await slow.promise : "of b";
    },
    repeatable,
    undefined,
  );
  // The consumer of a is held up. That of b reports no lag, and has not read the end of the log.
  report("a", { lagMs: 60_000, reportAgeMs: 60_000 });
  await pause(1_500);
  expect(shard.nodes.map(({ name }) => name)).toEqual(["s1/a", "s1/b"]);
  slow.resolve("of a, with rows that b lacks");
  report("b", { offsets: { 0: "20" } });
  await vi.waitFor(async () => expect((await shard.read()).name).toBe("s1/b"), waiting);
  expect(["of b", "of a, with rows that b lacks"]).toContain(await reading);
});

test("8: a replica that answers and lags is read on while no other one reaches the end of the log", async () => {
  const reported = { lagMs: 0, reportAgeMs: 100, offsets: { 0: "10" } };
  const { shard, report } = await startShard([reported, reported], async () => ({ 0: "20" }));
  expect((await shard.read()).name).toBe("s1/a");
  const ask = () => shard.run(async (reader) => (reader === shard.nodes[0]?.reader ? "a" : "b"), repeatable, undefined);
  expect(await ask()).toBe("a");
  report("a", { lagMs: 60_000, reportAgeMs: 60_000 });
  await pause(5_000);
  expect((await shard.read()).name).toBe("s1/a");
  expect(await ask()).toBe("a");
});
