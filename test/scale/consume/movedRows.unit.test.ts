import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LogRecord, NewRecord } from "../../../src/durableLog/durableLog.ts";
import { EventIds } from "../../../src/scale/consume/eventIds.ts";
import { type ConsumerParts, RowConsumer } from "../../../src/scale/consume/rowConsumer.ts";
import { messagesOf, recordsOf } from "../../../src/scale/kafka/messages.ts";
import type { KeyedRow } from "../../../src/store/questdb/keyedRow.ts";
import { movedRecord, recordOf } from "../../../src/store/write/loggedRow.ts";

let directory: string;
let ids: EventIds;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-moved-"));
  ids = await EventIds.open(directory);
});

afterEach(async () => {
  await ids.close();
  await rm(directory, { recursive: true });
});

const nowMs = Date.now();

function event(eventKey: number, tsUs: number, receivedMs: number): NewRecord {
  const values = { website_id: "w", event_key: eventKey, event_type: "track", name: "page_view" } as const;
  return recordOf({ table: "events", tsUs, values, claimCheck: 1 }, receivedMs);
}

const logged = ({ payload, ...record }: NewRecord): LogRecord => ({ ...record, payload: Buffer.from(payload) });

/** Has a consumer store these records, and resolves to what it committed and how far behind it was meanwhile. */
async function store(records: readonly NewRecord[]): Promise<{ rows: KeyedRow[]; lagMs: number | undefined }> {
  const messages = messagesOf(records).map(({ value }, offset) => ({
    partition: 0,
    offset: BigInt(offset),
    records: recordsOf(value),
  }));
  const end = new Map([[0, BigInt(messages.length)]]);
  const start = new Map([[0, 0n]]);
  const stop = new AbortController();
  const rows: KeyedRow[] = [];
  let lagMs: number | undefined;
  const parts = {
    reader: {
      bounds: async () => ({ first: start, end }),
      read: async (from: ReadonlyMap<number, bigint>) => {
        if ((from.get(0) ?? 0n) < (end.get(0) ?? 0n)) return { messages, next: end, failure: undefined };
        stop.abort();
        return { messages: [], next: end, failure: undefined };
      },
    },
    ids,
    idsPosition: { read: async () => new Map(), write: async () => undefined, clear: async () => undefined },
    positions: {
      prepare: async () => undefined,
      read: async () => new Map(),
      write: async () => undefined,
      isOurs: async () => true,
    },
    committer: {
      commit: async (given: readonly KeyedRow[]) => {
        lagMs = consumer.lagMs;
        rows.push(...given);
        return { outcome: "committed", refused: [] };
      },
    },
    deadLetters: { add: async () => undefined },
    metrics: { consumedRows: { inc: () => undefined }, consumerLagSeconds: { set: () => undefined } },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  };
  const consumer = new RowConsumer(parts as unknown as ConsumerParts);
  await consumer.run(stop.signal);
  return { rows, lagMs };
}

test("an event whose id came from the shard that its organization left is stored at the time that it had there", async () => {
  const before = movedRecord(logged(event(7, 1_000, nowMs - 3_600_000)), "id");
  const { rows } = await store([before, event(7, 2_000, nowMs), event(8, 3_000, nowMs)]);
  expect(rows.map(({ tsUs, values }) => [values.event_key, tsUs])).toEqual([
    [7, 1_000],
    [8, 3_000],
  ]);
});

test("rows that come from another shard are stored in the order there, and do not count as waiting since then", async () => {
  const moved = [event(7, 1_000, nowMs - 3_600_000), event(7, 2_000, nowMs - 3_500_000)];
  const { rows, lagMs } = await store(moved.map((record) => movedRecord(logged(record), "row")));
  expect(rows.map(({ tsUs }) => tsUs)).toEqual([1_000, 1_000]);
  expect(lagMs).toBeLessThan(3_000_000);
});
