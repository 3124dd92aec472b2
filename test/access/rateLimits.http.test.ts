import { randomUUID } from "node:crypto";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { RateLimits } from "../../src/access/rateLimit/rateLimits.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { type JsonAnswer, send } from "../kit/calls/request.ts";
import { createKey, createWebsite } from "../kit/calls/website.ts";
import { pageView, sendEvents } from "../kit/calls/websiteCalls.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";

/** Longer than the test, which then falls into two windows at most. */
const values = { rateLimits: { windowMs: 3_600_000 } };
const settings = {
  RATE_LIMIT_QUERY: "10",
  RATE_LIMIT_CUSTOM: "3",
  RATE_LIMIT_ANONYMOUS: "4",
};

let first: ApiProcess;
let second: ApiProcess;

beforeAll(async () => {
  const start = () => startApiProcess(settings, { values });
  [first, second] = await Promise.all([start(), start()]);
});

afterAll(() => Promise.all([first?.stop(), second?.stop()]));

const query = (websiteId: string, apiKey: string | undefined, { baseUrl }: ApiProcess = first): Promise<JsonAnswer> =>
  send("POST", `/v1/query?website_id=${websiteId}`, {
    body: { preset: "today", parameters: ["page_views"] },
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
  });

const statusesOf = (answers: readonly JsonAnswer[]) => answers.map(({ status }) => status);

async function inTurn(count: number, call: () => Promise<JsonAnswer>): Promise<JsonAnswer[]> {
  const answers: JsonAnswer[] = [];
  for (let at = 0; at < count; at++) answers.push(await call());
  return answers;
}

test("part 7 rule 4: calls over the limit get Retry-After, and the headers count down before", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await inTurn(11, () => query(websiteId, apiKey));
  expect(statusesOf(answers)).toEqual([...Array(10).fill(200), 429]);
  const left = answers.slice(0, 10).map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
  expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  const refused = answers.at(-1);
  expect(refused?.body).toEqual({
    success: false,
    error: expect.stringMatching(/Wait/),
    code: "RATE_LIMIT_EXCEEDED",
    requestId: expect.any(String),
    limit: 10,
    remaining: 0,
    reset: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    retryAfter: Number(refused?.headers.get("retry-after")),
  });
  const { reset = "" } = (refused?.body ?? {}) as { reset?: string };
  expect(Math.abs(Date.parse(reset) - Number(refused?.headers.get("x-ratelimit-reset")) * 1_000)).toBeLessThanOrEqual(
    1_000,
  );
});

test("each key and each kind of call has its own limit", async () => {
  const { websiteId, apiKey, organizationId } = await createWebsite();
  const other = await createKey({ organizationId });
  await inTurn(11, () => query(websiteId, apiKey));
  const custom = () =>
    send("POST", `/v1/query/custom?website_id=${websiteId}`, {
      body: {
        query: { table: "events", selects: [{ field: "*", aggregate: "count", alias: "count" }] },
        preset: "today",
      },
      apiKey,
      baseUrl: first.baseUrl,
    });
  expect(statusesOf(await inTurn(4, custom)).map((status) => status === 429)).toEqual([false, false, false, true]);
  expect((await query(websiteId, other)).status).toBe(200);
});

test("processes share a limit through PostgreSQL", async () => {
  const { websiteId, apiKey } = await createWebsite();
  await inTurn(6, () => query(websiteId, apiKey, first));
  await inTurn(2, () => query(websiteId, apiKey, second));
  // A process reads the others' counts when it writes its own.
  const left = async () => Number((await query(websiteId, apiKey, second)).headers.get("x-ratelimit-remaining"));
  await expect.poll(left, { timeout: 100_000, interval: 1_500 }).toBeLessThanOrEqual(1);
  await expect
    .poll(async () => (await query(websiteId, apiKey, first)).status, { timeout: 100_000, interval: 1_500 })
    .toBe(429);
});

test("a process with another window leaves the counts of the others alone", async () => {
  const postgres = new pg.Pool({ connectionString: inject("lookout").databaseUrl, max: 1 });
  const nowMs = Date.now();
  const [one, two] = [new RateLimits(postgres, 3_600_000), new RateLimits(postgres, 3_600_000)];
  const subject = randomUUID();
  one.take(subject, 10, true, nowMs);
  await one.exchange(nowMs);
  await new RateLimits(postgres, 1_000).exchange(nowMs);
  two.take(subject, 10, true, nowMs);
  await two.exchange(nowMs);
  expect(two.take(subject, 10, true, nowMs)).toMatchObject({ isAllowed: true, remaining: 7 });
  await postgres.end();
});

test.each([
  ["in the same window", 0],
  ["over the end of a window", 1],
])("part 7 rule 4: a process that had no calls for a while knows what others let in, %s", async (_name, windows) => {
  const postgres = new pg.Pool({ connectionString: inject("lookout").databaseUrl, max: 1 });
  const windowMs = 3_600_000;
  const startMs = (Math.floor(Date.now() / windowMs) + 1) * windowMs;
  const laterMs = startMs + windows * windowMs;
  const [one, two] = [new RateLimits(postgres, windowMs), new RateLimits(postgres, windowMs)];
  const subject = randomUUID();
  one.take(subject, 10, true, startMs);
  await one.exchange(startMs);
  for (let call = 0; call < 10; call += 1) two.take(subject, 10, true, laterMs);
  await two.exchange(laterMs);
  await one.exchange(laterMs);
  expect(one.take(subject, 10, true, laterMs)).toMatchObject({ isAllowed: false, remaining: 0 });
  await postgres.end();
});

test("queries of a public website are limited by address", async () => {
  const { websiteId } = await createWebsite({ publicAccess: true });
  expect(statusesOf(await inTurn(5, () => query(websiteId, undefined)))).toEqual([200, 200, 200, 200, 429]);
});

test("events of known websites are never rate limited", async () => {
  const { websiteId } = await createWebsite();
  const answers = await inTurn(30, () =>
    sendEvents(websiteId, [{ type: "track", payload: pageView() }], first.baseUrl),
  );
  expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
  expect(answers[0]?.headers.get("x-ratelimit-limit")).toBeNull();
});

test("part 7 rule 4: over gRPC a call past the limit is RESOURCE_EXHAUSTED with the same headers", async () => {
  const { websiteId, apiKey } = await createWebsite();
  await inTurn(10, () => query(websiteId, apiKey));
  const client = createClient(QueryService, createGrpcTransport({ baseUrl: first.baseUrl }));
  const call = client.query({ websiteId, queries: [] }, { headers: { "x-api-key": apiKey } });
  await expect(call).rejects.toMatchObject({ code: 8 });
  const error = await call.catch((thrown: { metadata: Headers }) => thrown);
  expect((error as { metadata: Headers }).metadata.get("x-ratelimit-limit")).toBe("10");
});
