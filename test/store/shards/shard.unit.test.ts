import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { Shard } from "../../../src/store/shards/shard.ts";
import type { StoredReplica } from "../../../src/store/shards/storeReplicas.ts";

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
async function startShard(own: Partial<StoredReplica>[] = [{}, {}]) {
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
    },
    log,
  );
  const watching = new AbortController();
  void shard.watch(AbortSignal.any([watching.signal, stop.signal]));
  return { shard, hangs };
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
  hangs.fill(true);
  await vi.waitFor(() => expect(shard.nodes.every(({ lostSinceMs }) => lostSinceMs !== undefined)).toBe(true), waiting);
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
