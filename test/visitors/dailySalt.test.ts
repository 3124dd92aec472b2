import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { deleteOldClaims } from "../../src/store/write/claimExpiry.ts";
import { DailySalt, dailyVisitorId, endingId, visitorHash } from "../../src/visitors/dailySalt.ts";

const noonMs = Date.UTC(2026, 4, 1, 12);
const dayMs = 86_400_000;

// A separate schema: the worker of the running product destroys old salts in the default one.
const schema = `salts_${randomUUID().replaceAll("-", "")}`;
const pools: pg.Pool[] = [];

function openPool(max: number, statementTimeout = "5s"): pg.Pool {
  const { databaseUrl } = inject("lookout");
  const options = `-c search_path=${schema} -c statement_timeout=${statementTimeout}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, options, max });
  pools.push(pool);
  return pool;
}

/** Another process: its own connections and an empty cache. */
const openSalt = () => new DailySalt(openPool(2));

let postgres: pg.Pool;

async function storedSalts(): Promise<{ day: string; salt: Buffer }[]> {
  const { rows } = await postgres.query<{ day: string; salt: Buffer }>("SELECT day::text, salt FROM daily_salts");
  return rows;
}

beforeAll(async () => {
  postgres = openPool(1);
  await postgres.query(`CREATE SCHEMA ${schema}`);
  await postgres.query(`CREATE UNLOGGED TABLE ${schema}.daily_salts (LIKE public.daily_salts INCLUDING ALL)`);
});

beforeEach(async () => {
  await postgres.query("TRUNCATE daily_salts");
});

afterAll(async () => {
  await postgres.query(`DROP SCHEMA ${schema} CASCADE`);
  await Promise.all(pools.map((pool) => pool.end()));
});

describe("part 1: salts are random, change every UTC day and are destroyed", () => {
  it("is the same for all processes on one day", async () => {
    const salts = await Promise.all([1, 2, 3, 4].map(() => openSalt().at(noonMs)));
    expect(new Set(salts.map((salt) => salt.toString("hex"))).size).toBe(1);
    expect(salts[0]).toHaveLength(32);
  });

  it("changes at midnight UTC, and the salt of the day before is gone", async () => {
    const salt = openSalt();
    const before = await salt.at(noonMs + dayMs / 2 - 1);
    const after = await salt.at(noonMs + dayMs / 2);
    expect(after.equals(before)).toBe(false);
    expect(await storedSalts()).toEqual([{ day: "2026-05-02", salt: after }]);
  });

  it("is not created again for a process whose clock is behind", async () => {
    const today = await openSalt().at(noonMs + dayMs);
    expect((await openSalt().at(noonMs)).equals(today)).toBe(true);
  });

  it("is destroyed on a day without requests too", async () => {
    await openSalt().at(noonMs);
    await openSalt().destroyOld(noonMs + dayMs);
    expect((await storedSalts()).map(({ day }) => day)).toEqual(["2026-05-02"]);
  });

  it("is kept out of PostgreSQL's log", async () => {
    const found = await postgres.query(
      "SELECT relpersistence FROM pg_class WHERE oid = 'public.daily_salts'::regclass",
    );
    expect(found.rows).toEqual([{ relpersistence: "u" }]);
  });

  it("does not wait while old event claims are deleted", async () => {
    const pool = openPool(2, "0");
    const blocker = await postgres.connect();
    const stop = new AbortController();
    let deleting: Promise<void> | undefined;
    try {
      await blocker.query("CREATE TABLE event_claims (LIKE public.event_claims)");
      await blocker.query("BEGIN; LOCK TABLE event_claims");
      deleting = deleteOldClaims(pool, { warn: () => undefined, debug: () => undefined }, stop.signal);
      const waiting = async () =>
        (await pool.query("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'event_claims'::regclass")).rowCount;
      await expect.poll(waiting).toBe(1);
      expect(await openSalt().at(noonMs)).toHaveLength(32);
    } finally {
      stop.abort();
      await blocker.query("ROLLBACK");
      blocker.release();
      await deleting;
    }
  });

  it("is requested again after a failure", async () => {
    const pool = openPool(1);
    const salt = new DailySalt(pool);
    const connect = pool.connect.bind(pool);
    Object.assign(pool, { connect: () => Promise.reject(new Error("down")) });
    await expect(salt.at(noonMs)).rejects.toThrow("down");
    Object.assign(pool, { connect });
    expect(await salt.at(noonMs)).toHaveLength(32);
  });

  it("keeps nobody waiting who can do without it, while PostgreSQL refuses or does not answer", async () => {
    const pool = openPool(1);
    const salt = new DailySalt(pool);
    const connect = pool.connect.bind(pool);
    Object.assign(pool, { connect: () => Promise.reject(new Error("down")) });
    expect(await salt.inTime(noonMs, 60_000)).toBeUndefined();
    const { promise: late, resolve: answer } = Promise.withResolvers<void>();
    Object.assign(pool, { connect: () => late.then(() => connect()) });
    expect(await salt.inTime(noonMs, 1)).toBeUndefined();
    answer();
    expect(await salt.inTime(noonMs, 60_000)).toHaveLength(32);
  });
});

describe("part 1: a visitor's hash", () => {
  const salt = Buffer.alloc(32, 1);

  it("is equal only for the same visitor, website and day", () => {
    const hash = visitorHash(salt, "site-1", "192.0.2.1", "agent");
    expect(visitorHash(salt, "site-1", "192.0.2.1", "agent")).toBe(hash);
    const others = [
      visitorHash(Buffer.alloc(32, 2), "site-1", "192.0.2.1", "agent"),
      visitorHash(salt, "site-2", "192.0.2.1", "agent"),
      visitorHash(salt, "site-1", "192.0.2.2", "agent"),
      visitorHash(salt, "site-1", "192.0.2.1", "other"),
    ];
    expect(new Set([hash, ...others]).size).toBe(5);
    expect([hash, ...others].every(Number.isSafeInteger)).toBe(true);
  });
});

describe("the daily id of a visitor who sends none", () => {
  const chrome = "Mozilla/5.0 Chrome/140";

  it("is the same within a day at one website, and another one for each other website, address, browser and day", async () => {
    const salt = openSalt();
    const [today, tomorrow] = [await salt.at(noonMs), await salt.at(noonMs + dayMs)];
    const id = dailyVisitorId(today, "a", "203.0.113.7", chrome);
    expect(dailyVisitorId(today, "a", "203.0.113.7", chrome)).toBe(id);
    const others = [
      dailyVisitorId(tomorrow, "a", "203.0.113.7", chrome),
      dailyVisitorId(today, "b", "203.0.113.7", chrome),
      dailyVisitorId(today, "a", "203.0.113.8", chrome),
      dailyVisitorId(today, "a", "203.0.113.7", "Mozilla/5.0 Firefox/140"),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
    expect(id).toMatch(/^[\w-]{8}$/);
  });

  it("and so does what stands for an id that was sent, for the day of the event", async () => {
    const today = await openSalt().at(noonMs);
    const tomorrow = await openSalt().at(noonMs + dayMs);
    const id = endingId(today, "a", noonMs, "ada");
    expect(endingId(today, "a", noonMs + 1_000, "ada")).toBe(id);
    const others = [
      endingId(tomorrow, "a", noonMs, "ada"),
      endingId(today, "a", noonMs + dayMs, "ada"),
      endingId(today, "b", noonMs, "ada"),
      endingId(today, "a", noonMs, "bob"),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
    expect(id).toMatch(/^[\w-]{8}$/);
  });

  it("tells nothing about the hash that clicks of the same visitor have", async () => {
    const salt = await openSalt().at(noonMs);
    const key = visitorHash(salt, "a", "203.0.113.7", chrome);
    const id = dailyVisitorId(salt, "a", "203.0.113.7", chrome);
    expect(Buffer.from(id, "base64url").readUIntBE(0, 6)).not.toBe(Math.floor(key / 16));
  });
});
