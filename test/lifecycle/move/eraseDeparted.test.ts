import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { missSince } from "../../../src/lifecycle/erasure/steps/missedErasures.ts";
import { eraseDeparted } from "../../../src/lifecycle/move/eraseDeparted.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { openQuestdb, openRowWriter } from "../../kit/stores/testQuestdb.ts";
import { storedRow } from "../retention/retentionRows.ts";

const { signal } = new AbortController();
// Of this test alone: the running product has one QuestDB.
const [left, other] = [`left-${randomUUID()}`, `other-${randomUUID()}`];
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
  await postgres.query("DELETE FROM missed_erasures WHERE shard = $1", [left]);
  await postgres.query("DELETE FROM store_replicas WHERE shard = $1", [left]);
  await postgres.query("DELETE FROM shards WHERE name IN ($1, $2)", [left, other]);
  await postgres.end();
  await questdb.close();
});

/** A website with an event, whose organization has moved from one shard to the other, and is on `now`. */
async function movedWebsite(now: string): Promise<TestWebsite> {
  const website = await createWebsite();
  const rows = openRowWriter();
  await rows.write([storedRow({ websiteId: website.websiteId, kind: "events", tsUs: 1_450_000_000_000_000 })]);
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

test("a replica that is rebuilt misses what was erased on its shard since the snapshot, also what it had made up for", async () => {
  const website = await movedWebsite(left);
  const elsewhere = await movedWebsite(other);
  await postgres.query(
    "INSERT INTO store_replicas (shard, replica, questdb_http, questdb_pg) VALUES ($1, 'a', '', ''), ($1, 'b', '', '')",
    [left],
  );
  const deletion = async ({ websiteId, organizationId }: TestWebsite, phase: string, completedMs: number | null) => {
    const id = randomUUID();
    await postgres.query(
      `INSERT INTO deletions (id, kind, website_id, organization_id, start_date, end_date, time_zone, from_ms, until_ms, data_types,
         deleted, status, phase, request_id, started_at, completed_at)
       VALUES ($1, 'request', $2, $3, '2015-01-01', '2015-01-02', 'UTC', 0, 1, '{events}', '{}', $4, $5, 'test', now(),
         to_timestamp($6::float8 / 1000))`,
      [id, websiteId, organizationId, completedMs === null ? "processing" : "completed", phase, completedMs],
    );
    return id;
  };
  const takenMs = Date.now() - 60_000;
  const source = await deletion(website, "done", takenMs - 2_000);
  const after = await deletion(website, "done", takenMs + 1_000);
  const running = await deletion(website, "erasing", null);
  // Not missed: one from before the snapshot, one that has not begun, and one of another shard.
  await deletion(website, "done", takenMs - 1_000);
  await deletion(website, "waiting", null);
  await deletion(elsewhere, "done", takenMs + 1_000);
  // The replica that the snapshot is of made up for one after it, and this one has made up for another one once.
  await postgres.query(
    `INSERT INTO missed_erasures (shard, replica, kind, id, last_seen_at, erased_at)
     VALUES ($1, 'a', 'deletion', $2, now(), now()), ($1, 'b', 'deletion', $3, now(), now())`,
    [left, source, after],
  );
  try {
    const takenAt = new Date(takenMs).toISOString();
    for (let run = 0; run < 2; run += 1) await missSince(postgres, { shard: left, replica: "b" }, takenAt, "a");
    const { rows: missed } = await postgres.query<{ id: string }>(
      "SELECT id FROM missed_erasures WHERE shard = $1 AND replica = 'b' AND kind = 'deletion' AND erased_at IS NULL",
      [left],
    );
    expect(missed.map(({ id }) => id).sort()).toEqual([source, after, running].sort());
    const { rows } = await postgres.query(
      `SELECT state, erased_until AS "erasedUntil" FROM store_replicas WHERE shard = $1 AND replica = 'b'`,
      [left],
    );
    expect(rows).toEqual([{ state: "rebuilding", erasedUntil: new Date(takenMs) }]);
  } finally {
    await postgres.query("DELETE FROM deletions WHERE request_id = 'test' AND website_id IN ($1, $2)", [
      website.websiteId,
      elsewhere.websiteId,
    ]);
  }
});
