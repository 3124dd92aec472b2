import { randomUUID } from "node:crypto";
import type { Client, WorkflowHandle } from "@temporalio/client";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { correctSessions } from "../../src/aggregation/storedSessions.ts";
import type { DailyAggregationInput, dailyAggregation } from "../../workflows/aggregation/dailyAggregation.ts";
import { type EventRow, randomClicks, randomSessions, someDays } from "../kit/random/randomEventRows.ts";
import { makeNamespace, startWorker, stopWorker, type WorkerProcess } from "../kit/stack/workerProcess.ts";
import { insertClicks, insertEvents, isApplied, readRecords, sql } from "../kit/stores/eventStore.ts";
import { expectedRecords } from "../kit/stores/expectedRecords.ts";
import { openQuestdb, openRowWriter } from "../kit/stores/testQuestdb.ts";

const lookout = inject("lookout");
const taskQueue = "lookout";

let client: Client;
let namespace: string;
let removeNamespace: () => Promise<void>;
let workers: WorkerProcess[] = [];

beforeAll(async () => {
  ({ client, namespace, remove: removeNamespace } = await makeNamespace(lookout.temporalAddress));
  // Two at the same time, as when a deployment starts them together.
  const started = [startWorker(lookout, namespace), startWorker(lookout, namespace)];
  workers = started;
  await Promise.all(started.map(({ isReady }) => isReady));
});

afterAll(async () => {
  await Promise.all(workers.map((worker) => stopWorker(worker, "SIGTERM")));
  await removeNamespace?.();
});

/** Stores the sessions of websites on some days, as the correction does within a minute of their events: records are counted from them. */
async function storeSessions(websiteIds: readonly string[], days: readonly string[]): Promise<void> {
  const stores = { questdb: openQuestdb(), rows: openRowWriter() };
  for (const websiteId of websiteIds)
    for (const day of days) await correctSessions(stores, websiteId, day, new AbortController().signal);
  await Promise.all([stores.questdb.close(), stores.rows.close()]);
}

/** Starts a run as an operator would in the Temporal UI: type, task queue, id and JSON input. */
async function start(input: DailyAggregationInput): Promise<WorkflowHandle<typeof dailyAggregation>> {
  const workflowId = `daily-aggregation/${randomUUID()}`;
  return await client.workflow.start<typeof dailyAggregation>("dailyAggregation", {
    workflowId,
    taskQueue,
    args: [input],
  });
}

async function aggregate(input: DailyAggregationInput) {
  return await (await start(input)).result();
}

describe("Daily aggregation record (2)", () => {
  // UTF-8 and UTF-16 sort the last two differently, and QuestDB compares stored text with bound text.
  const paths = ["/", "/pricing", "/it's", "/a b/ü", "/\uff21", "/\u{1f600}"];

  it("has the views, visitors, duration, bounce rate and referrers of a plain count, for each website and day", async () => {
    const websites = [randomUUID(), randomUUID()];
    const days = someDays(2);
    const [from, to] = days;
    const sets = websites.flatMap((websiteId, website) =>
      days.map((day, index) => {
        const seed = 100 + website * 10 + index;
        const events = randomSessions(seed, websiteId, day, 150, paths);
        return { websiteId, day, events, clicks: randomClicks(seed, events) };
      }),
    );
    for (const { events, clicks } of sets) {
      await insertEvents(lookout.questdbHttp, events);
      await insertClicks(lookout.questdbHttp, clicks);
    }
    await storeSessions(websites, days);

    // Twice, since recomputing a day must change nothing.
    for (let time = 0; time < 2; time++) {
      await aggregate({ from, to });
      for (const { websiteId, day, events, clicks } of sets) {
        const expected = expectedRecords(events, clicks);
        expect(expected).toHaveLength(paths.length);
        expect(expected.some((record) => record.bounce_rate > 0 && record.bounce_rate < 1)).toBe(true);
        expect(await readRecords(lookout.questdbHttp, websiteId, day)).toEqual(expected);
      }
    }
  });

  it("is right for a website with more pages than one read returns", async () => {
    const websiteId = randomUUID();
    const [day = ""] = someDays(1);
    const manyPaths = Array.from({ length: 5_200 }, (_, index) => `/${index % 2 ? "\u{1f600}" : "\uff21"}${index}`);
    const events = manyPaths.flatMap((path): EventRow[] =>
      randomSessions(manyPaths.indexOf(path), websiteId, day, 1, [path]),
    );
    const distinct = events.map((event, index) => ({ ...event, event_key: index, session_key: Math.floor(index / 3) }));
    await insertEvents(lookout.questdbHttp, distinct);
    await storeSessions([websiteId], [day]);
    await aggregate({ day });
    expect(await readRecords(lookout.questdbHttp, websiteId, day)).toEqual(expectedRecords(distinct));
  });

  it("includes late events and drops pages without views when the day is recomputed", async () => {
    const websiteId = randomUUID();
    const [day = ""] = someDays(1);
    const first = randomSessions(7, websiteId, day, 40, paths);
    await insertEvents(lookout.questdbHttp, first);
    await storeSessions([websiteId], [day]);
    await aggregate({ day });

    const late = randomSessions(8, websiteId, day, 40, ["/late", "/pricing"]);
    await insertEvents(lookout.questdbHttp, late);
    await sql(
      lookout.questdbHttp,
      `UPDATE events SET website_id = 'erased' WHERE website_id = '${websiteId}' AND path = '/'`,
    );
    await isApplied(lookout.questdbHttp);
    await storeSessions([websiteId], [day]);
    await aggregate({ day });

    const left = [...first, ...late].filter(({ path }) => path !== "/");
    const records = await readRecords(lookout.questdbHttp, websiteId, day);
    expect(records).toEqual(expectedRecords(left));
    expect(records.map(({ page }) => page)).not.toContain("/");
  });

  it("keeps figures of a day with custom events only, for the time after its events (8)", async () => {
    const websiteId = randomUUID();
    const [day = ""] = someDays(1);
    const events = randomSessions(10, websiteId, day, 20, paths).map(
      (event): EventRow => ({ ...event, event_type: "custom", name: "order" }),
    );
    await insertEvents(lookout.questdbHttp, events);
    await storeSessions([websiteId], [day]);
    await aggregate({ day });
    await isApplied(lookout.questdbHttp);
    const figures = `SELECT custom_events FROM daily_figures WHERE website_id = '${websiteId}' AND counted = 'custom' AND value = 'order'`;
    expect(await sql(lookout.questdbHttp, figures)).toEqual([{ custom_events: events.length }]);
  });

  it("stays when the raw events of its day have expired (8)", async () => {
    const websiteId = randomUUID();
    const [day = ""] = someDays(1);
    await insertEvents(lookout.questdbHttp, randomSessions(9, websiteId, day, 20, paths));
    await storeSessions([websiteId], [day]);
    await aggregate({ day });
    const before = await readRecords(lookout.questdbHttp, websiteId, day);
    await sql(lookout.questdbHttp, `UPDATE events SET website_id = 'erased' WHERE website_id = '${websiteId}'`);
    await isApplied(lookout.questdbHttp);
    await aggregate({ day });
    expect(await readRecords(lookout.questdbHttp, websiteId, day)).toEqual(before);
    expect(before).not.toEqual([]);
  });
});

describe("A run of the daily aggregation", () => {
  it("whose worker dies half-way is finished by the next one, once", async () => {
    const [day = ""] = someDays(1);
    const websites: string[] = Array.from({ length: 130 }, () => randomUUID()).sort();
    const eventsOf = (websiteId: string) => randomSessions(websites.indexOf(websiteId), websiteId, day, 4, ["/", "/b"]);
    await insertEvents(lookout.questdbHttp, websites.flatMap(eventsOf));
    await storeSessions(websites, [day]);
    const expected = websites.flatMap((websiteId) => expectedRecords(eventsOf(websiteId)));

    const run = await start({ day });
    await expect
      .poll(async () => (await run.describe()).raw.pendingActivities?.map(({ activityType }) => activityType?.name), {
        interval: 10,
        timeout: 200_000,
      })
      .toEqual(["aggregate"]);
    await Promise.all(workers.map((worker) => stopWorker(worker, "SIGKILL")));
    const next = startWorker(lookout, namespace);
    workers = [next];
    await next.isReady;

    expect(await run.result()).toEqual({ from: day, to: day, days: 1, websites: 130, records: expected.length });
    const { events } = await run.fetchHistory();
    const attempts = events?.map((event) => event.activityTaskStartedEventAttributes?.attempt ?? 0) ?? [];
    expect(Math.max(...attempts)).toBeGreaterThan(1);
    const records = await Promise.all(websites.map((websiteId) => readRecords(lookout.questdbHttp, websiteId, day)));
    expect(records.flat()).toEqual(expected);
  }, 600_000);

  it("continues where its earlier part stopped", async () => {
    const [from = "", , , day = ""] = someDays(4);
    const open = randomUUID();
    // Sorts just before it.
    const done = `${open.slice(0, -1)}!`;
    for (const [index, websiteId] of [done, open].entries())
      await insertEvents(lookout.questdbHttp, randomSessions(30 + index, websiteId, day, 10, ["/"]));
    await storeSessions([done, open], [day]);
    const totals = { days: 3, websites: 7, records: 20 };
    const result = await aggregate({ from, to: day, position: { day, afterWebsite: done, totals } });
    expect(result).toEqual({ from, to: day, days: 4, websites: 8, records: 21 });
    expect(await readRecords(lookout.questdbHttp, done, day)).toEqual([]);
    expect(await readRecords(lookout.questdbHttp, open, day)).toHaveLength(1);
  });

  it("fails at once, with advice, if its input names no past days", async () => {
    const run = await start({ day: "tomorrow" });
    await expect(run.result()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('"tomorrow" is not a day. Write it as YYYY-MM-DD') },
    });
  });
});

describe("The daily run at 00:00 UTC (8)", () => {
  it("has one Schedule, which ran once when it was created, even if two workers start at the same time", async () => {
    const schedule = await client.schedule.getHandle("daily-aggregation").describe();
    expect(schedule.info.nextActionTimes[0]?.toISOString()).toMatch(/T00:00:00\.000Z$/);
    expect(schedule.policies).toMatchObject({ overlap: "BUFFER_ALL", catchupWindow: 30 * 86_400_000 });
    expect(schedule.info.numActionsTaken).toBe(1);
  });

  it("shows its runs to an operator: found by LookoutKind and LookoutDay, with summary and result", async () => {
    const scheduled = "WorkflowId STARTS_WITH 'daily-aggregation-' AND LookoutKind = 'daily-aggregation'";
    const find = async () => {
      for await (const run of client.workflow.list({ query: `${scheduled} AND ExecutionStatus = 'Completed'` }))
        return run;
      return undefined;
    };
    await expect.poll(find).toBeDefined();
    const run = await find();
    const handle = client.workflow.getHandle<typeof dailyAggregation>(run?.workflowId ?? "");
    const result = await handle.result();
    expect(result).toMatchObject({ days: 2 });
    expect(run?.searchAttributes["LookoutDay"]).toEqual([result.to]);
    const dayAfter = new Date(Date.parse(`${result.to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    expect(run?.workflowId).toContain(`daily-aggregation-${dayAfter}T`);
    expect(await (await handle.describe()).staticSummary()).toBe("Daily aggregation of all websites");
  });

  it("stays paused when an operator paused it and a worker starts again", async () => {
    const handle = client.schedule.getHandle("daily-aggregation");
    await handle.pause("maintenance");
    const worker = startWorker(lookout, namespace);
    workers.push(worker);
    await worker.isReady;
    const schedule = await handle.describe();
    expect(schedule.state).toMatchObject({ paused: true, note: "maintenance" });
    expect(schedule.info.numActionsTaken).toBe(1);
    await handle.unpause();
  });
});

describe("The worker process", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("ends with 0 at %s", async (signal) => {
    const worker = startWorker(lookout, namespace);
    await worker.isReady;
    expect(await stopWorker(worker, signal)).toBe(0);
  });

  it("ends when its parent process is gone", async () => {
    const worker = startWorker(lookout, namespace);
    workers.push(worker);
    await worker.isReady;
    worker.child.disconnect();
    await expect.poll(() => worker.child.exitCode).toBe(0);
  });
});
