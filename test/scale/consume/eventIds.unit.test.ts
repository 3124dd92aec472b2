import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EventIds, type ReceivedRow } from "../../../src/scale/consume/eventIds.ts";
import type { KeyedRow } from "../../../src/store/questdb/keyedRow.ts";

const hourMs = 3_600_000;
const startMs = Date.parse("2026-03-02T06:00:00Z");

let directory: string;
let ids: EventIds;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-ids-"));
  ids = await EventIds.open(directory);
});

afterEach(async () => {
  await ids.close();
  await rm(directory, { recursive: true });
});

function received(key: number | undefined, tsUs: number, receivedMs: number): ReceivedRow<KeyedRow> {
  const row = { table: "events" as const, tsUs, values: { website_id: "w", event_key: key ?? 7 } };
  return { row: key === undefined ? row : { ...row, claimCheck: 1 }, receivedMs };
}

async function timesOf(...rows: ReceivedRow<KeyedRow>[]): Promise<number[]> {
  return (await ids.claim(rows)).map(({ row }) => row.tsUs);
}

test("the first time of an id holds for 24 hours, also for later batches and after a restart", async () => {
  expect(await timesOf(received(1, 10, startMs), received(1, 20, startMs), received(2, 30, startMs))).toEqual([
    10, 10, 30,
  ]);
  expect(await timesOf(received(1, 40, startMs + 24 * hourMs - 1))).toEqual([10]);
  await ids.close();
  ids = await EventIds.open(directory);
  expect(await timesOf(received(1, 50, startMs + hourMs))).toEqual([10]);
});

test("after 24 hours an id is a new event, whose time holds from then on", async () => {
  await timesOf(received(1, 10, startMs));
  expect(await timesOf(received(1, 20, startMs + 24 * hourMs))).toEqual([20]);
  expect(await timesOf(received(1, 30, startMs + 25 * hourMs))).toEqual([20]);
  // Read once more from the log, as after a crash.
  expect(await timesOf(received(1, 10, startMs), received(1, 20, startMs + 24 * hourMs))).toEqual([10, 20]);
});

test("events without an id keep their times", async () => {
  expect(await timesOf(received(undefined, 10, startMs), received(undefined, 20, startMs))).toEqual([10, 20]);
});

test("two ids whose keys collide are two events", async () => {
  const other = received(1, 20, startMs);
  expect(await timesOf(received(1, 10, startMs), { ...other, row: { ...other.row, claimCheck: 2 } })).toEqual([10, 20]);
});

test("a repeated event counts as received when the first was, so that an erasure of that one keeps it out", async () => {
  const [, again] = await ids.claim([received(1, 10, startMs), received(1, 20, startMs + hourMs)]);
  expect(again?.receivedMs).toBe(startMs);
});

test("ids are deleted some time after they no longer hold, by the time of the log", async () => {
  await timesOf(received(1, 10, startMs));
  await timesOf(received(2, 10, startMs + 40 * hourMs));
  expect(await readdir(directory)).toHaveLength(2);
  await timesOf(received(3, 10, startMs + 49 * hourMs));
  expect(await readdir(directory)).toHaveLength(2);
  await ids.clear();
  expect(await readdir(directory)).toEqual([]);
  expect(await timesOf(received(1, 30, startMs))).toEqual([30]);
});
