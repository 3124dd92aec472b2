import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { eraseDeparted } from "../../../src/scale/move/eraseDeparted.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { dayMs, storedRow } from "../../kit/stores/retentionRows.ts";
import { openQuestdb, openRowWriter } from "../../kit/stores/testQuestdb.ts";

const { signal } = new AbortController();
// Of this test alone: the running product has one QuestDB.
const [left, other] = [`left-${randomUUID()}`, `other-${randomUUID()}`];
/** On a day of no other test, and within ten years: retention.test.ts erases what is older. */
const eventUs = (Date.now() - 3_000 * dayMs) * 1_000;
let postgres: pg.Pool;
let questdb: QuestdbReader;

beforeAll(async () => {
  postgres = new pg.Pool({ connectionString: inject("lookout").databaseUrl, max: 2 });
  postgres.on("error", () => undefined);
  questdb = openQuestdb();
  await postgres.query("INSERT INTO shards (name) VALUES ($1), ($2)", [left, other]);
});

afterAll(async () => {
  await postgres.query("DELETE FROM organization_moves WHERE from_shard = $1", [left]);
  await postgres.query("DELETE FROM placements WHERE shard IN ($1, $2)", [left, other]);
  await postgres.query("DELETE FROM shards WHERE name IN ($1, $2)", [left, other]);
  await postgres.end();
  await questdb.close();
});

/** A website with an event, whose organization has moved from one shard to the other, and is on `now`. */
async function movedWebsite(now: string): Promise<TestWebsite> {
  const website = await createWebsite();
  const rows = openRowWriter();
  await rows.write([storedRow({ websiteId: website.websiteId, kind: "events", tsUs: eventUs })]);
  await rows.close();
  await postgres.query("INSERT INTO placements (organization_id, shard) VALUES ($1, $2)", [
    website.organizationId,
    now,
  ]);
  await postgres.query(
    `INSERT INTO organization_moves (id, workflow_id, organization_id, from_shard, to_shard, phase, left_at, completed_at)
     VALUES ($1, $1, $2, $3, $4, 'done', now(), now())`,
    [randomUUID(), website.organizationId, left, other],
  );
  return website;
}

async function eventsOf({ websiteId }: TestWebsite): Promise<number> {
  const [row] = await questdb.read("SELECT count() n FROM events WHERE website_id = $1", [websiteId]);
  return Number(row?.["n"]);
}

test("a replica that is rebuilt loses what organizations had there that have left its shard since, unless they came back", async () => {
  const [gone, back] = [await movedWebsite(other), await movedWebsite(left)];
  await expect.poll(() => eventsOf(gone)).toBe(1);
  await expect.poll(() => eventsOf(back)).toBe(1);
  const settings = readConfig({}).questdb;
  const node = { shard: left, replica: "b", name: `${left}/b`, settings, lostSinceMs: undefined };

  await eraseDeparted(postgres, { node, questdb }, Date.now() + 3_600_000, signal);
  expect(await eventsOf(gone), "it left before").toBe(1);
  await eraseDeparted(postgres, { node, questdb }, Date.now() - 3_600_000, signal);
  expect([await eventsOf(gone), await eventsOf(back)]).toEqual([0, 1]);
});
