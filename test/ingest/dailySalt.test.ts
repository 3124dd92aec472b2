import pg from "pg";
import { afterAll, beforeEach, describe, expect, inject, it } from "vitest";
import { DailySalt, visitorHash } from "../../src/ingest/dailySalt.ts";

const noonMs = Date.UTC(2026, 4, 1, 12);
const dayMs = 86_400_000;

const pools: pg.Pool[] = [];

/** Another process: its own connections and nothing remembered. */
function openSalt(): DailySalt {
  const pool = new pg.Pool({ connectionString: inject("lookout").databaseUrl, max: 2 });
  pools.push(pool);
  return new DailySalt(pool);
}

function storedSalts(): Promise<{ day: string; salt: Buffer }[]> {
  const pool = pools[0] ?? new pg.Pool();
  return pool.query("SELECT day::text, salt FROM daily_salts").then(({ rows }) => rows);
}

beforeEach(async () => {
  openSalt();
  await pools[0]?.query("TRUNCATE daily_salts");
});

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
});

describe("part 1: salts are random, change every UTC day and are destroyed", () => {
  it("is the same for all processes on one day", async () => {
    const salts = await Promise.all([1, 2, 3, 4].map(() => openSalt().at(noonMs)));
    expect(new Set(salts.map((salt) => salt.toString("hex"))).size).toBe(1);
    expect(salts[0]).toHaveLength(32);
  });

  it("changes at midnight UTC, and nothing of the day before is left", async () => {
    const salt = openSalt();
    const before = await salt.at(noonMs + dayMs / 2 - 1);
    const after = await salt.at(noonMs + dayMs / 2);
    expect(after.equals(before)).toBe(false);
    expect(await storedSalts()).toEqual([{ day: "2026-05-02", salt: after }]);
  });

  it("does not come back for a process whose clock is behind", async () => {
    const today = await openSalt().at(noonMs + dayMs);
    expect((await openSalt().at(noonMs)).equals(today)).toBe(true);
  });

  it("is destroyed on a day on which nobody needs one", async () => {
    await openSalt().at(noonMs);
    await openSalt().destroyOld(noonMs + dayMs);
    expect((await storedSalts()).map(({ day }) => day)).toEqual(["2026-05-02"]);
  });

  it("is kept out of PostgreSQL's log", async () => {
    const found = await pools[0]?.query("SELECT relpersistence FROM pg_class WHERE relname = 'daily_salts'");
    expect(found?.rows).toEqual([{ relpersistence: "u" }]);
  });

  it("is asked for again after a failure", async () => {
    const pool = new pg.Pool({ connectionString: inject("lookout").databaseUrl, max: 1 });
    pools.push(pool);
    const salt = new DailySalt(pool);
    const connect = pool.connect.bind(pool);
    Object.assign(pool, { connect: () => Promise.reject(new Error("away")) });
    await expect(salt.at(noonMs)).rejects.toThrow("away");
    Object.assign(pool, { connect });
    expect(await salt.at(noonMs)).toHaveLength(32);
  });
});

describe("part 1: a visitor's hash", () => {
  const salt = Buffer.alloc(32, 1);

  it("is the same for the same visitor, website and day only", () => {
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
