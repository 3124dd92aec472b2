import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { epochMs } from "../../../src/store/postgres/epochMs.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { timeColumnOf } from "../../../src/store/questdb/rowTime.ts";
import type { TableName } from "../../../src/store/questdb/tables.ts";
import { keyOf } from "../../../src/store/write/eventKeys.ts";
import { correctNow, countsOf, dayOf, receiptOf, shown, startErasure } from "../../kit/calls/erasureCalls.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { pageView, sendEvents } from "../../kit/calls/websiteCalls.ts";
import { startApiProcess } from "../../kit/stack/apiProcess.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

let questdb: QuestdbReader;
beforeAll(() => {
  questdb = openQuestdb();
});
afterAll(() => questdb.close());

const hourMs = 3_600_000;

async function read(sql: string, ...values: (string | number)[]): Promise<Record<string, unknown>[]> {
  return await questdb.read(sql, values);
}

const timesOf = async (table: TableName, websiteId: string) =>
  (await read(`SELECT ${timeColumnOf(table)} AS at FROM ${table} WHERE website_id = $1 ORDER BY at`, websiteId)).map(
    ({ at }) => Number(at),
  );

/** Waits until a table has a number of rows of a website. */
async function stored(table: TableName, { websiteId }: { websiteId: string }, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await timesOf(table, websiteId)).toHaveLength(count), waiting);
}

const waiting = { timeout: 100_000, interval: 100 };

// Most of the time of an erasure is spent waiting until the bytes are gone.
describe.concurrent("4.17: what an erasure removes and keeps", { timeout: 180_000 }, () => {
  test("days are whole days of the website's time zone; sessions and daily records are recomputed", async () => {
    const site = await createWebsite({ timezone: "America/New_York" });
    const noonMs = noonDaysAgo(6);
    // New York is 4 or 5 hours behind UTC: 3:00 UTC belongs to the day before, 6:00 UTC to the day.
    const at = (hour: number) => noonMs + (hour - 12) * hourMs;
    const events = [3, 6, 12, 26, 30].map((hour) =>
      pageView({ timestamp: at(hour), path: `/at-${hour}`, anonymousId: `v${hour}`, sessionId: `s${hour}` }),
    );
    await sendEvents(site.websiteId, events);
    await stored("events", site, 5);
    await correctNow();
    await stored("sessions", site, 5);
    const day = dayOf(noonMs);
    const { deletion_id: id, deleted } = await startErasure(site, {
      start_date: day,
      end_date: day,
      data_types: ["events"],
    });
    expect(deleted).toEqual({ events: 3 });
    const receipt = await receiptOf(site, id);
    expect(receipt.days).toEqual([day, dayOf(at(26))]);
    expect(countsOf(receipt)).toMatchObject({ events: [3, 0], sessions: [3, 0] });
    expect(await timesOf("events", site.websiteId)).toEqual([at(3), at(30)]);
    expect(await timesOf("sessions", site.websiteId)).toEqual([at(3), at(30)]);
    const records = await read(
      "SELECT page, total_views FROM daily_aggregates WHERE website_id = $1 ORDER BY page",
      site.websiteId,
    );
    expect(records).toEqual([
      { page: "/at-3", total_views: 1 },
      { page: "/at-30", total_views: 1 },
    ]);
  });

  test.for([
    {
      erased: 0,
      left: [
        { at: 1, page: "/next" },
        { at: 1, page: "/noon" },
      ],
    },
    { erased: 1, left: [{ at: 0, page: "/late" }] },
  ])(
    "daily records of the day beside are made again: of a visit over midnight day $erased is erased",
    async ({ erased, left }) => {
      const site = await createWebsite();
      const middayMs = noonDaysAgo(5);
      const seen = (sessionId: string, hour: number, path: string) =>
        pageView({ timestamp: middayMs + hour * hourMs, path, anonymousId: sessionId, sessionId });
      await sendEvents(site.websiteId, [seen("s1", 11.9, "/late"), seen("s1", 12.1, "/next"), seen("s2", 24, "/noon")]);
      await stored("events", site, 3);
      await correctNow();
      const daysMs = [middayMs, middayMs + 24 * hourMs].map((ms) => ms - 12 * hourMs);
      const records = async () => {
        const sql = "SELECT ts AS at, page FROM daily_aggregates WHERE website_id = $1 ORDER BY at, page";
        return (await read(sql, site.websiteId)).map(({ at, page }) => ({ at: daysMs.indexOf(Number(at)), page }));
      };
      const all = [
        { at: 0, page: "/late" },
        { at: 0, page: "/next" },
        { at: 1, page: "/noon" },
      ];
      await vi.waitFor(async () => expect(await records()).toEqual(all), waiting);
      const day = dayOf(daysMs[erased] ?? Number.NaN);
      const { deletion_id: id } = await startErasure(site, { start_date: day, end_date: day, data_types: ["events"] });
      await receiptOf(site, id);
      await vi.waitFor(async () => expect(await records()).toEqual(left), waiting);
    },
  );

  test("one visitor: other visitors' rows stay, and a session of two visitors is recomputed", async () => {
    const site = await createWebsite();
    const atMs = noonDaysAgo(4);
    const seen = (anonymousId: string, minute: number, path: string) =>
      pageView({ anonymousId, sessionId: "shared", timestamp: atMs + minute * 60_000, path, load_time: 5 });
    await sendEvents(site.websiteId, [seen("ann", 0, "/ann"), seen("bob", 5, "/bob"), seen("ann", 9, "/ann-2")]);
    await sendEvents(site.websiteId, [{ ...seen("ann", 60, "/ann-3"), sessionId: "her own" }]);
    const href = "https://ann.example/";
    const link = { eventId: randomUUID(), anonymousId: "ann", sessionId: "shared", timestamp: atMs, href };
    await sendEvents(site.websiteId, [{ type: "outgoing_link", payload: link }]);
    await stored("events", site, 4);
    await stored("outgoing_links", site, 1);
    await correctNow();
    await stored("sessions", site, 2);
    const { deletion_id: id, deleted } = await startErasure(site, {
      start_date: dayOf(atMs),
      end_date: dayOf(atMs),
      data_types: ["events", "performance", "aggregated"],
      anonymous_id: "ann",
    });
    expect(deleted).toEqual({ events: 3, outgoing_links: 1, performance: 3, aggregated: 0 });
    expect(countsOf(await receiptOf(site, id))).toMatchObject({ events: [3, 0], performance_metrics: [3, 0] });
    expect(await read("SELECT path FROM events WHERE website_id = $1", site.websiteId)).toEqual([{ path: "/bob" }]);
    expect(await timesOf("outgoing_links", site.websiteId)).toEqual([]);
    expect(
      await read(`SELECT anonymous_id, entry_page, exit_page FROM sessions WHERE website_id = $1`, site.websiteId),
    ).toEqual([{ anonymous_id: "bob", entry_page: "/bob", exit_page: "/bob" }]);
    expect(await read("SELECT page FROM daily_aggregates WHERE website_id = $1", site.websiteId)).toEqual([
      { page: "/bob" },
    ]);
  });

  test("old events that arrive during the erasure are dropped, new ones are stored, and afterwards all are", async () => {
    const site = await createWebsite();
    const oldMs = noonDaysAgo(2);
    await sendEvents(site.websiteId, [pageView({ timestamp: oldMs }), pageView({ timestamp: Date.now() - 60_000 })]);
    await stored("events", site, 2);
    const { deletion_id: id } = await startErasure(site, {
      start_date: dayOf(noonDaysAgo(3)),
      end_date: dayOf(Date.now() + 30 * 24 * hourMs),
      data_types: ["events"],
    });
    const sentMs: number[] = [];
    let isReopened = false;
    /** Of each old event its time, and when it had been received. */
    const old: { readonly timestamp: number; readonly receivedMs: number }[] = [];
    for (let status = "processing"; status === "processing"; ) {
      const nowMs = Date.now();
      const timestamp = oldMs + old.length + 1;
      await sendEvents(site.websiteId, [pageView({ timestamp }), pageView({ timestamp: nowMs })]);
      old.push({ timestamp, receivedMs: Date.now() });
      if (isReopened) sentMs.push(nowMs);
      const { phase, status: now } = await shown(site, id);
      status = now;
      // The days up to now come first, and new rows are stored from then on.
      isReopened ||= phase === "releasing";
      await pause(100);
    }
    const endedMs = Date.now();
    await sendEvents(site.websiteId, [pageView({ timestamp: oldMs })]);
    // The last ones may have arrived just after the end, before it could be seen.
    const { rows } = await inDatabase((database) =>
      database.query<{ closedMs: number }>(
        `SELECT ${epochMs("max(closed_at)")} AS "closedMs" FROM erased_ranges WHERE deletion_id = $1`,
        [id],
      ),
    );
    const closedMs = rows[0]?.closedMs ?? 0;
    expect(closedMs).toBeGreaterThan(0);
    const mayBeKept = new Set(old.filter(({ receivedMs }) => receivedMs >= closedMs).map(({ timestamp }) => timestamp));
    const kept = async () =>
      (await timesOf("events", site.websiteId)).filter((ts) =>
        ts < endedMs - 24 * hourMs ? !mayBeKept.has(ts) : sentMs.includes(ts),
      );
    await vi.waitFor(async () => expect(await kept()).toEqual([oldMs, ...sentMs]), waiting);
    expect(sentMs.length).toBeGreaterThan(3);
    expect(old.length).toBeGreaterThan(sentMs.length);
  });

  test("an erased event that is sent again with its eventId within 24 hours of its first receipt does not come back", async () => {
    const site = await createWebsite();
    const atMs = noonDaysAgo(3);
    const eventId = randomUUID();
    const event = pageView({ eventId, timestamp: atMs, load_time: 120 });
    const first = await startApiProcess({});
    await sendEvents(site.websiteId, [event], first.baseUrl);
    await stored("events", site, 1);
    await stored("performance_metrics", site, 1);
    await first.stop();
    const { deletion_id: id } = await startErasure(site, {
      start_date: dayOf(atMs),
      end_date: dayOf(atMs),
      data_types: ["events", "performance"],
    });
    expect(countsOf(await receiptOf(site, id))).toMatchObject({ events: [1, 0], performance_metrics: [1, 0] });

    const nowMs = Date.now();
    let witnesses = 0;
    const sendAgain = async (more: object, baseUrl?: string) => {
      witnesses += 1;
      const witness = pageView({ timestamp: nowMs + witnesses });
      const { body } = await sendEvents(site.websiteId, [{ ...event, ...more }, witness], baseUrl);
      expect(body).toMatchObject({ status: "success" });
      await stored("events", site, witnesses);
    };
    await sendAgain({});
    await sendAgain({ timestamp: nowMs });
    const second = await startApiProcess({});
    await sendAgain({ timestamp: nowMs - 1 }, second.baseUrl);
    await second.stop();
    expect(await timesOf("performance_metrics", site.websiteId)).toEqual([]);

    // With brokers the consumers keep the ids, whose age a test cannot change.
    if (inject("lookout").kind === "scale") return;
    await inDatabase((database) =>
      database.query("UPDATE event_claims SET claimed_at = claimed_at - interval '24 hours' WHERE event_key = $1", [
        keyOf(site.websiteId, eventId),
      ]),
    );
    await sendEvents(site.websiteId, [event]);
    await vi.waitFor(async () => expect(await timesOf("events", site.websiteId)).toContain(atMs), waiting);
  });

  test("erased load times do not come back with a repeat of their page view, which stays", async () => {
    const site = await createWebsite();
    const atMs = noonDaysAgo(3);
    const event = pageView({ eventId: randomUUID(), timestamp: atMs, load_time: 120 });
    await sendEvents(site.websiteId, [event]);
    await stored("performance_metrics", site, 1);
    const { deletion_id: id } = await startErasure(site, {
      start_date: dayOf(atMs),
      end_date: dayOf(atMs),
      data_types: ["performance"],
    });
    await receiptOf(site, id);
    await sendEvents(site.websiteId, [event, pageView({ timestamp: atMs + 1, load_time: 130 })]);
    await stored("events", site, 2);
    await stored("performance_metrics", site, 1);
    expect(await timesOf("performance_metrics", site.websiteId)).toEqual([atMs + 1]);
  });

  test("two erasures at the same time with overlapping days each count the rows they erased, once", async () => {
    const site = await createWebsite();
    const days = [3, 4, 5].map(noonDaysAgo);
    await sendEvents(
      site.websiteId,
      days.flatMap((ms) => [0, 1].map((more) => pageView({ timestamp: ms + more }))),
    );
    await stored("events", site, 6);
    const range = (from: number, to: number) => ({
      start_date: dayOf(noonDaysAgo(from)),
      end_date: dayOf(noonDaysAgo(to)),
      data_types: ["events"],
    });
    const first = await startErasure(site, range(4, 3));
    const second = await startErasure(site, range(5, 4));
    const receipts = await Promise.all([receiptOf(site, first.deletion_id), receiptOf(site, second.deletion_id)]);
    expect(receipts.map((receipt) => countsOf(receipt)["events"])).toEqual([
      [4, 0],
      [2, 0],
    ]);
    expect(await timesOf("events", site.websiteId)).toEqual([]);
  });

  test("sessions alone are not recomputed from the events that stay", async () => {
    const site = await createWebsite();
    const atMs = noonDaysAgo(3);
    await sendEvents(site.websiteId, [pageView({ timestamp: atMs })]);
    await stored("events", site, 1);
    await correctNow();
    await stored("sessions", site, 1);
    const { deletion_id: id, deleted } = await startErasure(site, {
      start_date: dayOf(atMs),
      end_date: dayOf(atMs),
      data_types: ["sessions"],
    });
    expect(deleted).toEqual({ sessions: 1 });
    expect(countsOf(await receiptOf(site, id))).toEqual({ sessions: [1, 0] });
    await sendEvents(site.websiteId, [pageView({ timestamp: atMs + 1_000 })]);
    await stored("events", site, 2);
    await correctNow();
    expect(await timesOf("sessions", site.websiteId)).toEqual([]);
  });
});
