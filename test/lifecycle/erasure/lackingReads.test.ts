import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { daysOf } from "../../../src/lifecycle/erasure/deletion/daysOf.ts";
import { dropPartitionIfEmpty } from "../../../src/lifecycle/erasure/stores/dropPartition.ts";
import { eraseRange } from "../../../src/lifecycle/erasure/stores/eraseRange.ts";
import { whenApplied } from "../../../src/store/questdb/whenApplied.ts";
import { LackingReader } from "../../kit/faults/lackingReader.ts";
import { openRowWriter } from "../../kit/stores/testQuestdb.ts";

const lookout = inject("lookout");
const { signal } = new AbortController();
let postgres: pg.Pool;
let questdb: LackingReader;
let rows: ReturnType<typeof openRowWriter>;
beforeAll(() => {
  postgres = new pg.Pool({ connectionString: lookout.databaseUrl, max: 2 });
  questdb = new LackingReader(readConfig({ QUESTDB_HTTP: lookout.questdbHttp, QUESTDB_PG: lookout.questdbPg }).questdb);
  rows = openRowWriter();
});
afterAll(async () => {
  await rows.close();
  await Promise.all([questdb.close(), postgres.end()]);
});

/** An event of a website of its own on a day without other rows. */
async function lonelyEvent(day: string): Promise<string> {
  const websiteId = randomUUID();
  const values = { website_id: websiteId, event_key: 1, event_type: "page_view", name: "page_view", session_key: 1 };
  await rows.write([{ table: "events", tsUs: Date.parse(`${day}T12:00:00Z`) * 1_000, values }]);
  await whenApplied(questdb, ["events"], signal);
  return websiteId;
}

/** While reads lack every event, except those that check others. */
async function lacking<T>(work: () => Promise<T>): Promise<T> {
  questdb.lacksKeysFrom = 0;
  return await work().finally(() => {
    questdb.lacksKeysFrom = undefined;
  });
}

const stored = (websiteId: string) => questdb.read("SELECT event_key FROM events WHERE website_id = $1", [websiteId]);

test("8: a day is not dropped because one read lacks the rows that are still in it", async () => {
  const websiteId = await lonelyEvent("1999-03-02");
  await lacking(() => dropPartitionIfEmpty({ questdb, postgres }, "events", "1999-03-02", signal));
  expect(await stored(websiteId)).toEqual([{ event_key: 1 }]);
});

test("8: an erasure finds the days and rows that one read lacks", async () => {
  const websiteId = await lonelyEvent("1999-03-03");
  const target = { table: "events", sql: "website_id = $1", values: [websiteId] } as const;
  expect(await lacking(() => daysOf({ questdb }, target, signal))).toEqual(["1999-03-03"]);
  expect(await lacking(() => eraseRange(questdb, { ...target, day: "1999-03-03" }, signal))).toBe(true);
  expect(await stored(websiteId)).toEqual([]);
});
