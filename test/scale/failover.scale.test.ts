import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { signalFamily } from "../kit/faults/freeze.ts";
import { pageView } from "../kit/load/pageView.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";

const waiting = { timeout: 150_000, interval: 250 };

let fixture: ScaleFixture;
let website: TestWebsite;

beforeAll(async () => {
  fixture = await startScaleFixture({}, { apis: 1 });
  website = await createWebsite({ databaseUrl: api().postgres.url });
}, 400_000);

afterAll(async () => fixture?.remove(), 120_000);

function api() {
  const [first] = fixture.stack.apis;
  if (first === undefined) throw new Error("no API runs");
  return first;
}

const baseUrl = () => api().server.baseUrl;

/** Page views that the API has acknowledged. */
let acknowledged = 0;

async function sendViews(count: number): Promise<void> {
  const body = Array.from({ length: count }, (_, index) => pageView({ timestamp: Date.now(), visitor: index }));
  const answer = await send("POST", `/batch?website_id=${website.websiteId}`, { body, baseUrl: baseUrl() });
  expect(answer.body).toMatchObject({ status: "success", batched: { track: count } });
  acknowledged += count;
}

/** The page views of today that the API answers. */
async function views(): Promise<number> {
  const { websiteId, apiKey } = website;
  const body = { preset: "today", parameters: ["summary_metrics"] };
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { body, apiKey, baseUrl: baseUrl() });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { data } = answer.body as { data: { error: string | null; data: { pageviews: number }[] }[] };
  expect(data[0]?.error).toBeNull();
  return Number(data[0]?.data[0]?.pageviews);
}

const seenAll = () => vi.waitFor(async () => expect(await views()).toBe(acknowledged), waiting);

/** The replicas that /readyz says are not read. */
async function away(): Promise<unknown[]> {
  const ready = await send("GET", "/readyz", { baseUrl: baseUrl() });
  const { states } = ready.body as { states: { state: string; of?: unknown }[] };
  return states.filter(({ state }) => state === "replica_away").map(({ of }) => of);
}

/** Asks one query after the other, and more at the same time, until it is stopped. Rejects with the first that fails or is older than one before. */
function askAllTheTime() {
  const stopping = new AbortController();
  let answers = 0;
  let longestMs = 0;
  /** The highest figure of all answers that have come. */
  let highest = 0;
  const askers = [1, 2, 3].map(async () => {
    while (!stopping.signal.aborted) {
      const least = highest;
      const sentMs = performance.now();
      const found = await views();
      longestMs = Math.max(longestMs, performance.now() - sentMs);
      expect(found, "no answer is older than one before").toBeGreaterThanOrEqual(least);
      highest = Math.max(highest, found);
      answers += 1;
    }
  });
  const sender = (async () => {
    while (!stopping.signal.aborted) await sendViews(5);
  })();
  const all = Promise.all([...askers, sender]);
  all.catch(() => undefined);
  return {
    get answers() {
      return answers;
    },
    get longestMs() {
      return Math.round(longestMs);
    },
    stop: async () => {
      stopping.abort();
      await all;
      expect(highest).toBeLessThanOrEqual(acknowledged);
    },
  };
}

test.each(["a", "b"])(
  "while the QuestDB %s hangs queries are answered, and no answer is older than one before",
  async (replica) => {
    const { stack } = fixture;
    await sendViews(20);
    await seenAll();
    await vi.waitFor(async () => expect(await away()).toEqual([]), waiting);
    const asking = askAllTheTime();
    await vi.waitFor(() => expect(asking.answers).toBeGreaterThan(5), waiting);
    const id = stack.processId(`questdb-s1-${replica}`) ?? 0;
    signalFamily(id, "SIGSTOP");
    try {
      await vi.waitFor(async () => expect(await away()).toEqual([`s1/${replica}`]), waiting);
      const before = asking.answers;
      await vi.waitFor(() => expect(asking.answers).toBeGreaterThan(before + 20), waiting);
    } finally {
      signalFamily(id, "SIGCONT");
    }
    await vi.waitFor(async () => expect(await away()).toEqual([]), waiting);
    await asking.stop();
    console.log(JSON.stringify({ replica, answers: asking.answers, longestMs: asking.longestMs }));
    await seenAll();
  },
  400_000,
);

test("while both QuestDBs hang no query is refused, and all are answered afterwards", async () => {
  const { stack } = fixture;
  const ids = ["a", "b"].map((replica) => stack.processId(`questdb-s1-${replica}`) ?? 0);
  const asking = askAllTheTime();
  await vi.waitFor(() => expect(asking.answers).toBeGreaterThan(5), waiting);
  for (const id of ids) signalFamily(id, "SIGSTOP");
  // Long enough for both to be noticed.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  for (const id of ids) signalFamily(id, "SIGCONT");
  const before = asking.answers;
  await vi.waitFor(() => expect(asking.answers).toBeGreaterThan(before + 20), waiting);
  await asking.stop();
  await seenAll();
}, 400_000);

test("reads leave a replica whose consumer has stopped, and stay with the other one until that one lags", async () => {
  const { stack } = fixture;
  for (const stopped of ["a", "b"]) {
    await vi.waitFor(async () => expect(await away()).toEqual([]), waiting);
    const asking = askAllTheTime();
    await vi.waitFor(() => expect(asking.answers).toBeGreaterThan(5), waiting);
    await stack.kill(`consumer-s1-${stopped}`);
    await vi.waitFor(async () => expect(await away()).toEqual([`s1/${stopped}`]), waiting);
    await asking.stop();
    await seenAll();
    await stack.restart(`consumer-s1-${stopped}`);
    await vi.waitFor(async () => expect(await away()).toEqual([]), waiting);
    expect(await views()).toBe(acknowledged);
  }
}, 400_000);
