import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { missSince } from "../../../src/scale/backup/missSince.ts";
import { preparePostgres } from "../../../src/store/postgres/postgres.ts";
import { createDatabase, type OwnDatabase } from "../../kit/stores/ownDatabase.ts";

// Of this test alone: it changes which erasures of all organizations a replica lacks.
let own: OwnDatabase;
beforeAll(async () => {
  own = await createDatabase();
  await preparePostgres(own.pool, pino({ level: "silent" }), new AbortController().signal, async () => undefined);
});
afterAll(() => own.remove());

/** A website of an organization that is on a shard. */
async function websiteOn(shard: string): Promise<{ readonly websiteId: string; readonly organizationId: string }> {
  const [websiteId, organizationId] = [randomUUID(), randomUUID()];
  await own.pool.query("INSERT INTO organizations (id, name) VALUES ($1, 'Test')", [organizationId]);
  await own.pool.query(
    `INSERT INTO websites (id, client_id, organization_id, name, domain, timezone)
     VALUES ($1, $1, $2, 'Test', 'shop.example', 'UTC')`,
    [websiteId, organizationId],
  );
  await own.pool.query("INSERT INTO placements (organization_id, shard) VALUES ($1, $2)", [organizationId, shard]);
  return { websiteId, organizationId };
}

test("a replica that is rebuilt misses what was erased on its shard since the snapshot, also what it had made up for", async () => {
  const [left, other] = ["s1", "s2"];
  await own.pool.query("INSERT INTO shards (name) VALUES ($1), ($2)", [left, other]);
  const website = await websiteOn(left);
  const elsewhere = await websiteOn(other);
  await own.pool.query(
    "INSERT INTO store_replicas (shard, replica, questdb_http, questdb_pg) VALUES ($1, 'a', '', ''), ($1, 'b', '', '')",
    [left],
  );
  const deletion = async ({ websiteId, organizationId }: typeof website, phase: string, completedMs: number | null) => {
    const id = randomUUID();
    await own.pool.query(
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
  await own.pool.query(
    `INSERT INTO missed_erasures (shard, replica, kind, id, last_seen_at, erased_at)
     VALUES ($1, 'a', 'deletion', $2, now(), now()), ($1, 'b', 'deletion', $3, now(), now())`,
    [left, source, after],
  );
  const takenAt = new Date(takenMs).toISOString();
  for (let run = 0; run < 2; run += 1) await missSince(own.pool, { shard: left, replica: "b" }, takenAt, "a");
  const { rows: missed } = await own.pool.query<{ id: string }>(
    "SELECT id FROM missed_erasures WHERE shard = $1 AND replica = 'b' AND kind = 'deletion' AND erased_at IS NULL",
    [left],
  );
  expect(missed.map(({ id }) => id).sort()).toEqual([source, after, running].sort());
  const { rows } = await own.pool.query(
    `SELECT state, erased_until AS "erasedUntil" FROM store_replicas WHERE shard = $1 AND replica = 'b'`,
    [left],
  );
  expect(rows).toEqual([{ state: "rebuilding", erasedUntil: new Date(takenMs) }]);
});
