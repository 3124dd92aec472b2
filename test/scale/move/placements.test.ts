import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { MovedRowGuard } from "../../../src/scale/move/movedRowGuard.ts";
import { changePlacement, whenFollowed } from "../../../src/scale/move/placementChanges.ts";
import { findOrganization, requestMove } from "../../../src/scale/move/requestMove.ts";
import { Placements } from "../../../src/scale/shards/placements.ts";
import type { KeyedRow } from "../../../src/store/questdb/keyedRow.ts";

// A separate schema: the running product has one QuestDB.
const schema = `moves_${randomUUID().replaceAll("-", "")}`;
const shards = ["s1", "s2", "s3"].map((name) => ({ name, replicas: [] }));
let postgres: pg.Pool;

beforeAll(async () => {
  postgres = new pg.Pool({ connectionString: inject("lookout").databaseUrl, options: `-c search_path=${schema}` });
  postgres.on("error", () => undefined);
  await postgres.query(`CREATE SCHEMA ${schema}`);
  await postgres.query(
    `CREATE TABLE organizations (id text PRIMARY KEY, name text NOT NULL);
     CREATE TABLE websites (id text PRIMARY KEY, organization_id text NOT NULL);
     CREATE TABLE log_directories (name text PRIMARY KEY, place text NOT NULL, clear_until timestamptz, seen_at timestamptz NOT NULL DEFAULT now());`,
  );
  for (const file of ["0014_shards.sql", "0015_organization_moves.sql"])
    await postgres.query(await readFile(`src/store/postgres/migrations/${file}`, "utf8"));
  await postgres.query(
    `INSERT INTO shards (name) VALUES ('s1'), ('s2'), ('s3');
     INSERT INTO store_replicas (shard, replica, questdb_http, questdb_pg, reported_at)
       VALUES ('s1', 'a', '', '', now()), ('s2', 'a', '', '', now()), ('s3', 'a', '', '', now() - interval '1 hour');
     INSERT INTO organizations VALUES ('acme', 'Acme'), ('twin-1', 'Twin'), ('twin-2', 'Twin');
     INSERT INTO websites VALUES ('shop', 'acme')`,
  );
});

afterAll(async () => {
  await postgres.query(`DROP SCHEMA ${schema} CASCADE`);
  await postgres.end();
});

beforeEach(async () => {
  await postgres.query("DELETE FROM organization_moves; DELETE FROM placements; DELETE FROM log_directories");
  await place("s1", null, null);
});

async function place(shard: string, movingTo: string | null, state: string | null): Promise<number> {
  return await changePlacement(postgres, (client) =>
    client.query(
      `INSERT INTO placements (organization_id, shard, moving_to, moving_state, moving_since) VALUES ('acme', $1, $2, $3, now())
       ON CONFLICT (organization_id) DO UPDATE SET shard = excluded.shard, moving_to = excluded.moving_to, moving_state = excluded.moving_state`,
      [shard, movingTo, state],
    ),
  );
}

test.each([
  ["s1", null, null, "s1", ["s1"], ["s1"]],
  ["s1", "s2", "copying", "s1", ["s1"], ["s1", "s2"]],
  ["s1", "s2", "both", "s1", ["s2", "s1"], ["s1", "s2"]],
  ["s2", "s1", "switched", "s2", ["s2", "s1"], ["s2", "s1"]],
  ["s2", "s1", "leaving", "s2", ["s2"], ["s2", "s1"]],
])("on %s, with %s as %s: where it is read, written (the new shard first) and erased", async (...given) => {
  const [shard, movingTo, state, read, written, erased] = given;
  await place(shard, movingTo, state);
  const placements = new Placements(postgres, shards, 1_000);
  expect((await placements.toRead("shop"))?.shard).toBe(read);
  expect(await placements.shardsToWrite("shop")).toEqual(written);
  expect(await placements.shardsWithRows("acme")).toEqual(erased);
});

test("a process that follows a change forgets what it knew", async () => {
  const placements = new Placements(postgres, shards, 1_000);
  await placements.follow();
  expect(await placements.shardsToWrite("shop")).toEqual(["s1"]);
  const epoch = await place("s1", "s2", "both");
  expect(placements.followed).toBeLessThan(epoch);
  await placements.follow();
  expect(placements.followed).toBe(epoch);
  expect(await placements.shardsToWrite("shop")).toEqual(["s2", "s1"]);
});

test("a change is followed once every process says so, but for those that have been silent for so long that they know nothing any more", async () => {
  const epoch = await place("s1", "s2", "copying");
  await postgres.query(
    `INSERT INTO log_directories (name, place, seen_at, placement_epoch) VALUES
       ('knows', 'a:/data', now(), $1), ('before', 'b:/data', now(), $1 - 1), ('older version', 'c:/data', now() - interval '2 minutes', null),
       ('gone', 'd:/data', now() - interval '11 minutes', null)`,
    [epoch],
  );
  const reasons: string[] = [];
  const followed = whenFollowed(postgres, epoch, (reason) => reasons.push(reason), new AbortController().signal);
  await expect.poll(() => reasons.at(-1)).toMatch(/log c:\/data, which does not report: start it, or wait 9 minutes/);
  await postgres.query("DELETE FROM log_directories WHERE name = 'older version'");
  await expect.poll(() => reasons.at(-1)).toBe("waiting for the process with the log b:/data");
  await postgres.query("UPDATE log_directories SET placement_epoch = $1 WHERE name = 'before'", [epoch]);
  await followed;
});

const row = (moved?: KeyedRow["moved"], owner: KeyedRow["values"] = { website_id: "shop" }): KeyedRow => ({
  table: "events",
  tsUs: 1,
  values: owner,
  ...(moved === undefined ? {} : { moved }),
});

/** Which of rows that were received a minute ago, and in a minute, a shard keeps out. */
async function refusedOn(shard: string, ...rows: readonly KeyedRow[]): Promise<number[]> {
  const inner = { enter: async () => ({ refused: new Set<number>(), leave: async () => undefined }) };
  const { refused } = await new MovedRowGuard(inner, postgres, shard).enter(
    [...rows, ...rows],
    [...rows.map(() => Date.now() - 60_000), ...rows.map(() => Date.now() + 60_000)],
  );
  return [...refused].sort();
}

test("a replica that is filled again gets no rows of an organization from before it left the shard", async () => {
  await postgres.query(
    `INSERT INTO organization_moves (id, workflow_id, organization_id, from_shard, to_shard, phase, left_at, completed_at)
     VALUES ('1', 'w', 'acme', 's1', 's2', 'done', now(), now())`,
  );
  await place("s2", null, null);
  const rows = [
    row(),
    row("row"),
    row(undefined, { organization_id: "acme" }),
    row(undefined, { website_id: "other" }),
  ];
  expect(await refusedOn("s1", ...rows)).toEqual([0, 2]);
  expect(await refusedOn("s2", ...rows)).toEqual([]);
  // It comes back.
  await place("s2", "s1", "copying");
  expect(await refusedOn("s1", ...rows)).toEqual([]);
});

test("nor what a cancelled move had copied", async () => {
  await postgres.query(
    `INSERT INTO organization_moves (id, workflow_id, organization_id, from_shard, to_shard, phase, completed_at)
     VALUES ('1', 'w', 'acme', 's1', 's2', 'cancelled', now())`,
  );
  const rows = [row(), row("row"), row("copy")];
  expect(await refusedOn("s2", ...rows)).toEqual([1, 2]);
  expect(await refusedOn("s1", ...rows)).toEqual([]);
});

test("a move is asked for by the name or the id of an organization, and again shows the one that is under way", async () => {
  const acme = await findOrganization(postgres, "acme");
  expect(await findOrganization(postgres, "ACME")).toEqual(acme);
  const move = await requestMove(postgres, acme, "s2");
  expect(move.workflowId).toMatch(/^organization-move\/acme\/[0-9a-f]{8}-[0-9a-f]{4}$/);
  expect(await requestMove(postgres, acme, "s2")).toEqual(move);
  await expect(requestMove(postgres, acme, "s3")).rejects.toThrow(
    '"Acme" is moving to s2. Wait for its end, or give it up',
  );
});

test.each([
  ["Acne", 'There is no organization "Acne". Did you mean "Acme"?'],
  ["twin", 'Several organizations are called "Twin". Name one by its id:\n  twin-1\n  twin-2'],
])("the organization %s: %s", async (given, message) => {
  await expect(findOrganization(postgres, given)).rejects.toThrow(message);
});

test.each([
  ["acme", "s22", 'There is no shard "s22". Did you mean s2? There are: s1, s2, s3'],
  ["acme", "s1", '"Acme" is on s1 already. Nothing was changed.'],
  ["acme", "s3", "No consumer of the shard s3 runs."],
  ["twin-1", "s2", '"Twin" has no rows yet'],
])("a move of %s to %s: %s", async (id, toShard, message) => {
  const organization = await findOrganization(postgres, id);
  await expect(requestMove(postgres, organization, toShard)).rejects.toThrow(message);
});
