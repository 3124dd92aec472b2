import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import pg from "pg";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { hashKeyText } from "../../../src/access/keyText.ts";
import { QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { handlers } from "../../../src/main/handlers.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { startApiProcess } from "../../kit/stack/apiProcess.ts";
import { startOwnServer } from "../../kit/stack/ownServer.ts";

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const query = { preset: "today", parameters: [{ name: "summary_metrics" }] };

/** So that a day without events has 0 page views, and not none. */
const firstEventOn = "2026-01-01";

/** Sends a page view of a new visitor. */
async function visit(baseUrl: string, { websiteId }: TestWebsite, visitor: string): Promise<void> {
  const nowMs = Date.now();
  const payload = {
    name: "page_view",
    anonymousId: visitor,
    sessionId: visitor,
    sessionStartTime: nowMs,
    timestamp: nowMs,
    path: "/",
    title: "Title",
    referrer: "",
    screen_resolution: "1920x1080",
    viewport_size: "1280x720",
    timezone: "Europe/Berlin",
    language: "de-DE",
  };
  const path = `/batch?website_id=${websiteId}`;
  const answer = await send("POST", path, { body: [{ type: "track", payload }], baseUrl });
  expect(answer.body).toMatchObject({ status: "success", batched: { track: 1 } });
}

/** A watch of a website's page views, which collects the answers. */
function watchViews(baseUrl: string, website: TestWebsite, protocol: "gRPC" | "Connect" = "gRPC") {
  const transport =
    protocol === "gRPC" ? createGrpcTransport({ baseUrl }) : createConnectTransport({ baseUrl, httpVersion: "1.1" });
  const leave = new AbortController();
  const views: unknown[] = [];
  const stream = createClient(QueryService, transport).watch(
    { websiteId: website.websiteId, query },
    { headers: { "x-api-key": website.apiKey }, signal: leave.signal },
  );
  const ended = (async () => {
    for await (const { answer } of stream) {
      const count = answer?.data[0]?.data[0]?.["pageviews"];
      // An answer whose statements ran before and after a commit may differ in its other figures alone.
      if (views.length === 0 || count !== views.at(-1)) views.push(count);
    }
  })();
  ended.catch(() => undefined);
  const seen = (wanted: unknown[]) =>
    vi.waitFor(() => expect(views).toEqual(wanted), { timeout: 100_000, interval: 50 });
  return { views, ended, seen, leave };
}

const often = { watch: { intervalMs: 100 } };

describe("4.1 Watch", () => {
  test.each(["gRPC", "Connect"] as const)(
    "answers at once and again after new events in this process, over %s",
    async (protocol) => {
      const website = await createWebsite({ firstEventOn });
      const server = await startOwnServer(handlers, {}, often);
      stops.push(() => server.close());
      const { seen, leave, ended } = watchViews(server.baseUrl, website, protocol);
      await seen([0]);
      await visit(server.baseUrl, website, "v1");
      await seen([0, 1]);
      await visit(server.baseUrl, website, "v2");
      await seen([0, 1, 2]);
      leave.abort();
      await expect(ended).rejects.toMatchObject({ code: Code.Canceled });
    },
  );

  test("keep_alive_seconds: sends messages without an answer while nothing changes", async () => {
    const website = await createWebsite({ firstEventOn });
    const server = await startOwnServer(handlers, {}, often);
    stops.push(() => server.close());
    const stream = createClient(QueryService, createGrpcTransport({ baseUrl: server.baseUrl })).watch(
      { websiteId: website.websiteId, query, keepAliveSeconds: 1 },
      { headers: { "x-api-key": website.apiKey } },
    );
    const hasAnswer: boolean[] = [];
    for await (const { answer } of stream) {
      hasAnswer.push(answer !== undefined);
      if (hasAnswer.length === 3) break;
    }
    expect(hasAnswer).toEqual([true, false, false]);
  });

  test("answers after events of another process too, but not after those of other websites", async () => {
    const website = await createWebsite({ firstEventOn });
    const other = await createWebsite({ firstEventOn });
    const writer = await startApiProcess({});
    stops.push(() => writer.stop());
    const server = await startOwnServer(handlers, {}, often);
    stops.push(() => server.close());
    const { seen, leave } = watchViews(server.baseUrl, website);
    await seen([0]);
    await visit(writer.baseUrl, other, "v1");
    await visit(writer.baseUrl, website, "v1");
    await seen([0, 1]);
    leave.abort();
  });

  test("ends when the key is revoked, even without new events", async () => {
    const website = await createWebsite({ firstEventOn });
    const server = await startOwnServer(handlers, { CACHE_MS: "100" }, often);
    stops.push(() => server.close());
    const { seen, ended } = watchViews(server.baseUrl, website);
    await seen([0]);
    const database = new pg.Client({ connectionString: inject("lookout").databaseUrl });
    await database.connect();
    await database.query("UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1", [hashKeyText(website.apiKey)]);
    await database.end();
    await expect(ended).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  test("the number of watches of a website is limited, and a stop of the service ends all watches", async () => {
    const website = await createWebsite({ firstEventOn });
    const server = await startOwnServer(handlers, {}, { watch: { ...often.watch, maxStreamsPerWebsite: 1 } });
    const first = watchViews(server.baseUrl, website);
    await first.seen([0]);
    const second = watchViews(server.baseUrl, website);
    await expect(second.ended).rejects.toMatchObject({ code: Code.ResourceExhausted });
    await server.close();
    await expect(first.ended).rejects.toMatchObject({ code: Code.Unavailable });
  });
});

describe("part 7: strangers who watch a public website leave slots to its owners", () => {
  const transportOf = (baseUrl: string) => createGrpcTransport({ baseUrl });
  const env = { TRUSTED_PROXIES: "127.0.0.0/8" };

  /** Watches without credentials from an address; resolves with the first answer, or rejects. */
  async function watchFrom(baseUrl: string, { websiteId }: TestWebsite, address: string, apiKey?: string) {
    const leave = new AbortController();
    const stream = createClient(QueryService, transportOf(baseUrl)).watch(
      { websiteId, query },
      {
        headers: { "x-forwarded-for": address, ...(apiKey === undefined ? {} : { "x-api-key": apiKey }) },
        signal: leave.signal,
      },
    );
    const { done } = await stream[Symbol.asyncIterator]().next();
    expect(done).toBe(false);
    stops.push(async () => leave.abort());
  }

  test("of a website and of a process, and the key of another organization is a stranger too", async () => {
    const website = await createWebsite({ publicAccess: true, firstEventOn });
    const other = await createWebsite({ publicAccess: true, firstEventOn });
    const limits = { maxStreamsPerWebsite: 4, maxStreams: 6, publicPercent: 50 };
    const { baseUrl, close } = await startOwnServer(handlers, env, { watch: { ...often.watch, ...limits } });
    stops.push(close);
    await watchFrom(baseUrl, website, "192.0.2.1");
    await watchFrom(baseUrl, website, "192.0.2.2", other.apiKey);
    await expect(watchFrom(baseUrl, website, "192.0.2.3")).rejects.toMatchObject({ code: Code.ResourceExhausted });
    await watchFrom(baseUrl, other, "192.0.2.4");
    await expect(watchFrom(baseUrl, other, "192.0.2.5")).rejects.toMatchObject({ code: Code.Unavailable });
    await watchFrom(baseUrl, website, "192.0.2.1", website.apiKey);
    await watchFrom(baseUrl, website, "192.0.2.1", website.apiKey);
    await watchFrom(baseUrl, other, "192.0.2.1", other.apiKey);
  });

  test("and an address has a number of its own", async () => {
    const website = await createWebsite({ publicAccess: true, firstEventOn });
    const { baseUrl, close } = await startOwnServer(handlers, env, {
      watch: { ...often.watch, maxPublicStreamsPerAddress: 2 },
    });
    stops.push(close);
    await watchFrom(baseUrl, website, "2001:db8::1");
    await watchFrom(baseUrl, website, "2001:db8::2");
    await expect(watchFrom(baseUrl, website, "2001:db8::3")).rejects.toMatchObject({ code: Code.ResourceExhausted });
    await watchFrom(baseUrl, website, "2001:db8:0:1::1");
    await watchFrom(baseUrl, website, "2001:db8::3", website.apiKey);
  });
});

describe("4.1 QueryColumns", () => {
  test("holds the rows of Query, with a column of one type for each field", async () => {
    const website = await createWebsite({ firstEventOn });
    const { baseUrl } = inject("lookout");
    await visit(baseUrl, website, "v1");
    await visit(baseUrl, website, "v2");
    const client = createClient(QueryService, createGrpcTransport({ baseUrl }));
    const query = { preset: "today", parameters: [{ name: "top_pages" }, { name: "outbound_links" }] };
    const request = { websiteId: website.websiteId, query: query };
    const headers = { "x-api-key": website.apiKey };
    await vi.waitFor(
      async () => {
        const answer = await client.queryColumns(request, { headers });
        expect(answer.data).toMatchObject([
          {
            parameter: "top_pages",
            success: true,
            rows: 1,
            columns: [
              { name: "path", values: { case: "texts", value: { values: ["/"] } }, nulls: [] },
              { name: "name", values: { case: "texts", value: { values: ["/"] } } },
              { name: "views", values: { case: "numbers", value: { values: [2] } } },
              { name: "pageviews", values: { case: "numbers", value: { values: [2] } } },
              { name: "visitors", values: { case: "numbers", value: { values: [2] } } },
              { name: "percentage", values: { case: "numbers", value: { values: [100] } } },
            ],
          },
          { parameter: "outbound_links", success: true, rows: 0 },
        ]);
      },
      { timeout: 100_000, interval: 100 },
    );
  });
});
