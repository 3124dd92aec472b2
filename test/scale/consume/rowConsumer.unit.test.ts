import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { createMetrics } from "../../../src/observability/metrics.ts";
import {
  type ConsumerParts,
  QuestdbReplacedError,
  RowConsumer,
  RowsLostError,
} from "../../../src/scale/consume/rowConsumer.ts";
import { messagesOf, recordsOf } from "../../../src/scale/kafka/messages.ts";
import type { Positions } from "../../../src/scale/kafka/positions.ts";
import type { TopicReader } from "../../../src/scale/kafka/topicReader.ts";
import { recordOf } from "../../../src/store/write/loggedRow.ts";

const waiting = { timeout: 30_000, interval: 20 };

/** The records of a message with one event. */
const event = (key: number) => {
  const row = { table: "events", tsUs: key, values: { website_id: "w", event_key: key } } as const;
  const [message] = messagesOf([recordOf(row, Date.now())]);
  if (message === undefined) throw new Error("a record makes a message");
  return recordsOf(message.value);
};

/** A log of one partition that has the offsets from `first` to 9, and a QuestDB that has stored it up to `stored`. */
function startConsumer(first: number, stored: number | undefined, own: Partial<ConsumerParts> = {}) {
  const at = (offset: number): Positions => new Map([[0, BigInt(offset)]]);
  const committed: number[] = [];
  const parts: ConsumerParts = {
    reader: {
      bounds: async () => ({ first: at(first), end: at(10) }),
      read: async (from) => {
        const offset = Number(from.get(0));
        if (offset < 10)
          return {
            messages: [{ partition: 0, offset: BigInt(offset), records: event(offset) }],
            next: at(offset + 1),
            failure: undefined,
          };
        await pause(20);
        return { messages: [], next: from, failure: undefined };
      },
    },
    ids: { claim: async (rows) => [...rows], clear: async () => undefined, flush: async () => undefined },
    idsPosition: {
      read: async () => (stored === undefined ? new Map() : at(stored)),
      write: async () => undefined,
      clear: async () => undefined,
    },
    positions: {
      prepare: async () => undefined,
      read: async () => (stored === undefined ? new Map() : at(stored)),
      write: async () => undefined,
      isOurs: async () => true,
    },
    committer: {
      commit: async (rows) => {
        for (const { tsUs } of rows) committed.push(tsUs);
        return { outcome: "committed", refused: [] };
      },
    },
    deadLetters: { add: async () => undefined },
    metrics: createMetrics(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    wasRebuilding: false,
    acceptsLoss: false,
    maxLagMs: 60_000,
    ...own,
  };
  const stop = new AbortController();
  const consumer = new RowConsumer(parts);
  const running = consumer.run(stop.signal);
  running.catch(() => undefined);
  return { consumer, committed, running, stop };
}

test.each([
  ["an empty QuestDB", 4, undefined],
  ["a QuestDB that was away for longer than the log keeps rows", 4, 3],
])("%s lacks rows that the log no longer has: nothing is stored, and it is to be rebuilt", async (_, first, stored) => {
  const { consumer, committed, running } = startConsumer(first, stored);
  await expect(running).rejects.toThrow(RowsLostError);
  await expect(running).rejects.toThrow("Rebuild it from a snapshot");
  expect(consumer.isRebuilding).toBe(true);
  expect(committed).toEqual([]);
});

test("with --accept-loss the consumer stores what the log still has", async () => {
  const { consumer, committed, running, stop } = startConsumer(4, 3, { acceptsLoss: true });
  await vi.waitFor(() => expect(committed).toEqual([4, 5, 6, 7, 8, 9]), waiting);
  await vi.waitFor(() => expect(consumer.isRebuilding).toBe(false), waiting);
  stop.abort();
  await running;
});

test("a replica that is rebuilt from a copy is read once the log is stored up to its end", async () => {
  const { consumer, committed, running, stop } = startConsumer(4, 8, { wasRebuilding: true });
  expect(consumer.isRebuilding).toBe(true);
  await vi.waitFor(() => expect(consumer.isRebuilding).toBe(false), waiting);
  expect(committed).toEqual([8, 9]);
  stop.abort();
  await running;
});

test("a consumer that is started again does not take its replica out of service", async () => {
  const { consumer, running, stop } = startConsumer(4, 8);
  await vi.waitFor(() => expect(consumer.isRebuilding).toBe(false), waiting);
  stop.abort();
  await running;
});

test("a QuestDB that was replaced is noticed while no rows come", async () => {
  let isOurs = true;
  const positions = {
    prepare: async () => undefined,
    read: async () => new Map([[0, 10n]]),
    write: async () => undefined,
    isOurs: async () => isOurs,
  };
  const { consumer, running } = startConsumer(0, 10, { positions });
  await vi.waitFor(() => expect(consumer.isRebuilding).toBe(false), waiting);
  isOurs = false;
  await expect(running).rejects.toThrow(QuestdbReplacedError);
});

test("an erasure waits for the commit under way, not for rows that wait until a QuestDB is back", async () => {
  const away = { outcome: "unavailable" } as const;
  const answer = Promise.withResolvers<typeof away>();
  let attempts = 0;
  const commit = async () => {
    attempts += 1;
    return attempts === 1 ? await answer.promise : away;
  };
  const { consumer, running, stop } = startConsumer(4, 8, { committer: { commit } });
  await vi.waitFor(() => expect(consumer.committingSinceMs).toBeGreaterThan(0), waiting);
  answer.resolve(away);
  await vi.waitFor(() => expect(attempts).toBeGreaterThan(1), waiting);
  await vi.waitFor(() => expect(consumer.committingSinceMs).toBeUndefined(), waiting);
  expect(consumer.stored).toEqual(new Map([[0, 8n]]));
  stop.abort();
  await running;
});

/** A log of two partitions, of the first of which the brokers lose all before 8 when it is first read before. */
function losingReader() {
  const first = new Map([
    [0, 4n],
    [1, 0n],
  ]);
  const read: TopicReader["read"] = async (from) => {
    const offset = Number(from.get(0));
    if (offset < 8) first.set(0, 8n);
    await pause(5);
    if (offset < 8)
      return { messages: [], next: from, failure: new Error("The requested offset is not within the range") };
    if (offset > 9) return { messages: [], next: from, failure: undefined };
    const next = new Map([...from, [0, BigInt(offset + 1)]]);
    return { messages: [{ partition: 0, offset: BigInt(offset), records: event(offset) }], next, failure: undefined };
  };
  const end = new Map([
    [0, 10n],
    [1, 0n],
  ]);
  return { bounds: async () => ({ first: new Map(first), end }), read };
}

test("ids that are deleted from the log while they are read hold up no rows", async () => {
  const idsPosition = { read: async () => new Map(), write: async () => undefined, clear: async () => undefined };
  const { committed, running, stop } = startConsumer(4, 8, { reader: losingReader(), idsPosition });
  await vi.waitFor(() => expect(committed).toEqual([8, 9]), waiting);
  stop.abort();
  await running;
});

test("rows that are deleted from the log before they are read are not passed over in silence", async () => {
  const refused = startConsumer(4, 6, { reader: losingReader() });
  await expect(refused.running).rejects.toThrow(RowsLostError);
  expect(refused.committed).toEqual([]);
  const { consumer, committed, running, stop } = startConsumer(4, 6, { reader: losingReader(), acceptsLoss: true });
  await vi.waitFor(() => expect(committed).toEqual([8, 9]), waiting);
  await vi.waitFor(() => expect(consumer.isRebuilding).toBe(false), waiting);
  stop.abort();
  await running;
});

test("a consumer has no lag before its first complete look at the log from its position", async () => {
  const read = Promise.withResolvers<void>();
  const at = new Map([[0, 10n]]);
  const reader = {
    bounds: async () => ({ first: new Map([[0, 0n]]), end: at }),
    read: async () => {
      await read.promise;
      await pause(20);
      return { messages: [], next: at, failure: undefined };
    },
  };
  const { consumer, stop, running } = startConsumer(0, 10, { reader });
  expect(consumer.lagMs).toBeUndefined();
  await vi.waitFor(() => expect(consumer.isRebuilding).toBe(false), waiting);
  expect(consumer.lagMs).toBeUndefined();
  read.resolve();
  await vi.waitFor(() => expect(consumer.lagMs).toBe(0), waiting);
  stop.abort();
  await running;
});
