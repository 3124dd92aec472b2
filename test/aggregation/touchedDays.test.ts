import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import {
  noteFirstEvents,
  readTouchedDays,
  type TouchedDay,
  takeTouchedDay,
  touchDays,
} from "../../src/aggregation/touchedDayQueue.ts";
import { TouchedDays } from "../../src/aggregation/touchedDays.ts";
import type { TableRow } from "../../src/store/questdb/tables.ts";

/** Longer than any test, so that time passes only by `letPass`. */
const settleMs = 3_600_000;

// A separate schema: the worker of the running product corrects the days of the default one.
const schema = `touched_${randomUUID().replaceAll("-", "")}`;
let postgres: pg.Pool;

beforeAll(async () => {
  const { databaseUrl } = inject("lookout");
  postgres = new pg.Pool({ connectionString: databaseUrl, options: `-c search_path=${schema}`, max: 5 });
  postgres.on("error", () => undefined);
  await postgres.query(`CREATE SCHEMA ${schema}`);
  await postgres.query("CREATE TABLE websites (id text PRIMARY KEY, first_event_at timestamptz)");
  await postgres.query(await readFile("src/store/postgres/migrations/0005_sessions.sql", "utf8"));
});

beforeEach(async () => {
  await postgres.query("DELETE FROM touched_days; DELETE FROM touched_hours");
});

afterAll(async () => {
  await postgres.query(`DROP SCHEMA ${schema} CASCADE`);
  await postgres.end();
});

function event(websiteId: string, time: string): TableRow {
  const values = { website_id: websiteId, event_key: 1, event_type: "page_view", session_key: 1 };
  return { table: "events", tsUs: Date.parse(time) * 1_000, values };
}

const waiting = () => readTouchedDays(postgres, settleMs, 100);

const take = (day: TouchedDay, work: () => Promise<void> = async () => undefined) =>
  takeTouchedDay(postgres, day, settleMs, work);

/** Moves all times in PostgreSQL into the past. */
async function letPass(ms: number): Promise<void> {
  await postgres.query(
    `UPDATE touched_days SET touched_at = touched_at - $1 * interval '1 ms', processed_at = processed_at - $1 * interval '1 ms',
       taken_at = taken_at - $1 * interval '1 ms', whole_at = whole_at - $1 * interval '1 ms'`,
    [ms],
  );
  await postgres.query("UPDATE touched_hours SET touched_at = touched_at - $1 * interval '1 ms'", [ms]);
}

async function entries(): Promise<number> {
  const { rows } = await postgres.query<{ count: string }>("SELECT count(*) FROM touched_days");
  return Number(rows[0]?.count);
}

const touched: TouchedDay = { websiteId: "a", day: "2026-11-20" };
const rows = [event("a", "2026-11-20T12:00:00Z")];

describe("Days that get events are marked as dirty", () => {
  it("before the commit, one row per website and UTC day, and the events are unchanged", async () => {
    const given = [
      event("a", "2026-11-20T23:59:59.999Z"),
      event("a", "2026-11-21T00:00:00Z"),
      event("b", "2026-11-20T00:00:00Z"),
      event("b", "2026-11-20T01:00:00Z"),
      { table: "outgoing_links" as const, tsUs: 0, values: { website_id: "c", event_key: 1 } },
      { table: "daily_aggregates" as const, tsUs: 0, values: { website_id: "d", page: "/" } },
    ];
    expect(await new TouchedDays(postgres).beforeCommit(given)).toBe(given);
    const found = await waiting();
    expect(found.map(({ websiteId, day }) => `${websiteId} ${day}`).sort()).toEqual([
      "a 2026-11-20",
      "a 2026-11-21",
      "b 2026-11-20",
      "c 1970-01-01",
    ]);
  });

  it("at most once a second, even if commits are more frequent", async () => {
    const query = vi.spyOn(postgres, "query");
    const days = new TouchedDays(postgres);
    for (let commit = 0; commit < 20; commit++) await days.beforeCommit(rows);
    days.afterCommit(rows, Date.now());
    expect(query.mock.calls.length).toBeLessThan(20);
    query.mockRestore();
    expect(await waiting()).toEqual([touched]);
  });

  it("or the commit fails: rows wait until their day can be marked", async () => {
    // No server listens on port 1.
    const unreachable = new pg.Pool({ connectionString: "postgres://lookout@127.0.0.1:1/lookout" });
    const days = new TouchedDays(unreachable);
    await expect(days.beforeCommit(rows)).rejects.toThrow("ECONNREFUSED");
    days.afterCommit(rows, Date.now());
    await unreachable.end();
  });

  it("by many processes at the same time without deadlocks", async () => {
    const many = Array.from({ length: 200 }, (_, index) => event(`w${index}`, "2026-11-20T12:00:00Z"));
    const writers = Array.from({ length: 8 }, (_, index) =>
      new TouchedDays(postgres).beforeCommit(index % 2 === 0 ? many : many.toReversed()),
    );
    await Promise.all(writers);
    expect(await entries()).toBe(200);
  });
});

it("The hour of a website's first event is noted, or the day where no more is known", async () => {
  await postgres.query("INSERT INTO websites (id) VALUES ('a'), ('b')");
  const first = async () => {
    const { rows: found } = await postgres.query<{ at: Date | null }>(
      "SELECT first_event_at AS at FROM websites ORDER BY id",
    );
    return found.map(({ at }) => at?.toISOString().slice(0, 16));
  };
  const note = (time: string) => new TouchedDays(postgres).beforeCommit([event("a", time)]);
  await note("2026-11-20T12:30:00Z");
  await note("2026-11-20T13:00:00Z");
  await noteFirstEvents(postgres, [touched]);
  expect(await first()).toEqual(["2026-11-20T12:00", undefined]);
  await noteFirstEvents(postgres, [
    { websiteId: "a", day: "2026-11-19" },
    { ...touched, websiteId: "b" },
  ]);
  expect(await first()).toEqual(["2026-11-19T00:00", "2026-11-20T00:00"]);
  await note("2026-11-18T05:59:00Z");
  expect(await first()).toEqual(["2026-11-18T05:00", "2026-11-20T00:00"]);
});

/** The dirty hours of the website `a`, and its days that are dirty as a whole, as queries see them. */
async function unsettled(): Promise<string[]> {
  const { rows: found } = await postgres.query<{ text: string }>(
    `SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24') AS text FROM touched_hours WHERE website_id = 'a' UNION ALL
     SELECT to_char(day, 'YYYY-MM-DD') FROM touched_days WHERE website_id = 'a' AND whole_at IS NOT NULL ORDER BY text`,
  );
  return found.map(({ text }) => text);
}

describe("The dirty hours of a day", () => {
  const later = [event("a", "2026-11-20T23:00:00Z")];
  const note = (list: readonly TableRow[]) => new TouchedDays(postgres).beforeCommit(list);

  it("are the hours of the events, until a correction that could read the events has ended", async () => {
    await note(rows);
    await take(touched);
    // Its rows may not have been readable yet.
    expect(await unsettled()).toEqual(["2026-11-20 12"]);
    await letPass(settleMs);
    await note(later);
    let meanwhile: string[] = [];
    await take(touched, async () => {
      meanwhile = await unsettled();
    });
    expect(meanwhile).toEqual(["2026-11-20 12", "2026-11-20 23"]);
    expect(await unsettled()).toEqual(["2026-11-20 23"]);
    await letPass(settleMs);
    await take(touched);
    expect(await unsettled()).toEqual([]);
    expect(await entries()).toBe(0);
  });

  it("are marked again during a correction, and stay", async () => {
    await note(rows);
    await letPass(settleMs);
    await take(touched, () => note([...rows, ...later]).then(() => undefined));
    expect(await unsettled()).toEqual(["2026-11-20 12", "2026-11-20 23"]);
  });

  it("stay when the correction fails, and longer when it was killed", async () => {
    await note(rows);
    await letPass(settleMs);
    await expect(take(touched, () => Promise.reject(new Error("QuestDB is unavailable")))).rejects.toThrow();
    expect(await unsettled()).toEqual(["2026-11-20 12"]);
    await postgres.query("UPDATE touched_days SET taken_at = clock_timestamp()");
    await take(touched);
    expect(await unsettled()).toEqual(["2026-11-20 12"]);
    await letPass(settleMs);
    await take(touched);
    expect(await unsettled()).toEqual([]);
  });

  it("are the whole day if all of it may have changed", async () => {
    await note(rows);
    await touchDays(postgres, [touched]);
    await take(touched);
    expect(await unsettled()).toEqual(["2026-11-20", "2026-11-20 12"]);
    await letPass(settleMs);
    await note(later);
    await take(touched);
    expect(await unsettled()).toEqual(["2026-11-20 23"]);
  });

  it("belong to one website and day", async () => {
    await note([
      ...rows,
      event("a", "2026-11-19T23:59:59Z"),
      event("a", "2026-11-21T00:00:00Z"),
      event("b", "2026-11-20T12:00:00Z"),
    ]);
    await letPass(settleMs);
    await take(touched);
    expect(await unsettled()).toEqual(["2026-11-19 23", "2026-11-21 00"]);
    expect((await postgres.query("SELECT FROM touched_hours WHERE website_id = 'b'")).rowCount).toBe(1);
  });
});

describe("A dirty day", () => {
  it("is corrected at once, once more when its rows must be visible, and is then clean", async () => {
    await new TouchedDays(postgres).beforeCommit(rows);
    expect(await take(touched)).toBe(true);
    expect(await waiting()).toEqual([]);
    expect(await take(touched)).toBe(false);
    await letPass(settleMs);
    expect(await waiting()).toEqual([touched]);
    expect(await take(touched)).toBe(true);
    expect(await entries()).toBe(0);
  });

  it("waits again if it is marked during its correction", async () => {
    await new TouchedDays(postgres).beforeCommit(rows);
    await letPass(settleMs);
    await take(touched, async () => void (await new TouchedDays(postgres).beforeCommit(rows)));
    expect(await waiting()).toEqual([touched]);
  });

  it("is corrected by one process at a time", async () => {
    await new TouchedDays(postgres).beforeCommit(rows);
    let second: boolean | undefined;
    await take(touched, async () => {
      second = await take(touched);
    });
    expect(second).toBe(false);
  });

  it("stays dirty when its correction fails", async () => {
    await new TouchedDays(postgres).beforeCommit(rows);
    await expect(take(touched, () => Promise.reject(new Error("QuestDB is unavailable")))).rejects.toThrow(
      "QuestDB is unavailable",
    );
    expect(await waiting()).toEqual([touched]);
  });

  it("is taken over from a process that died, and corrected again later for what that process may still have written", async () => {
    await new TouchedDays(postgres).beforeCommit(rows);
    await letPass(settleMs);
    // After a kill the entry is marked as taken, and no connection holds the lock.
    await postgres.query("UPDATE touched_days SET taken_at = clock_timestamp()");
    expect(await take(touched)).toBe(true);
    expect(await entries()).toBe(1);
    await letPass(settleMs);
    expect(await waiting()).toEqual([touched]);
  });
});
