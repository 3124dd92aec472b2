import { once } from "node:events";
import { connect } from "node:net";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { AnswerInParts } from "../../../src/call/answerInParts.ts";
import type { ImplementedHandlers } from "../../../src/gateway/procedure.ts";
import { QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import type { App } from "../../../src/main/compose.ts";
import { readerOf } from "../../../src/query/answer/callReader.ts";
import type { QueryCall } from "../../../src/query/queryCall.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import type { Values } from "../../kit/stack/values.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

/** Takes minutes; `mark` identifies it in QuestDB's list of running statements. */
function slowSql(mark: number): string {
  const numbers = "(SELECT x FROM long_sequence(1000000))";
  return `SELECT count() FROM ${numbers} a CROSS JOIN ${numbers} b WHERE a.x + b.x < -${mark}`;
}

let marks = Math.floor(Math.random() * 1_000_000_000);
let website: TestWebsite;
let server: OwnServer | undefined;

beforeAll(async () => {
  website = await createWebsite();
});

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A server whose queries run the slow statement. */
async function startSlow(env: Record<string, string> = {}, values: Values = {}) {
  const mark = ++marks;
  const handlers: ImplementedHandlers<App> = {
    "lookout.v1.QueryService": {
      query: async (request, call: QueryCall) => {
        await readerOf(call, [request.websiteId]).read(slowSql(mark), []);
        return {};
      },
    },
  };
  server = await startOwnServer(handlers, env, values);
  return { mark, baseUrl: server.baseUrl };
}

/** The number of statements with this mark that QuestDB is running. */
async function running(mark: number): Promise<number> {
  const reader = openQuestdb();
  const rows = await reader.read("SELECT query FROM query_activity()", []);
  await reader.close();
  return rows.filter(({ query }) => String(query).includes(`< -${mark}`)).length;
}

const waiting = { timeout: 100_000, interval: 50 };

function whenRunning(mark: number, count: number) {
  return vi.waitFor(async () => expect(await running(mark)).toBe(count), waiting);
}

function post(baseUrl: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${baseUrl}/v1/query?website_id=${website.websiteId}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": website.apiKey },
    body: JSON.stringify({ parameters: ["pages"], preset: "today" }),
    ...(signal === undefined ? {} : { signal }),
  });
}

describe("8 a query stops when its answer is not needed", () => {
  test("a client that disconnects stops its statement in QuestDB", async () => {
    const { mark, baseUrl } = await startSlow();
    const client = new AbortController();
    const answer = post(baseUrl, client.signal);
    await whenRunning(mark, 1);
    client.abort();
    await expect(answer).rejects.toThrow();
    await whenRunning(mark, 0);
  });

  test("a gRPC deadline stops the statement in QuestDB", async () => {
    const { mark, baseUrl } = await startSlow();
    const client = createClient(QueryService, createGrpcTransport({ baseUrl }));
    const headers = { "x-api-key": website.apiKey };
    const query = { preset: "today", parameters: [{ name: "pages" }] };
    const answer = client.query({ websiteId: website.websiteId, query }, { headers, timeoutMs: 3_000 });
    const failed = expect(answer).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    await whenRunning(mark, 1);
    await failed;
    await whenRunning(mark, 0);
  });

  test("a statement over the time limit is stopped in QuestDB, and the answer gives advice", async () => {
    const { mark, baseUrl } = await startSlow({ QUESTDB_QUERY_TIMEOUT_MS: "1500" });
    const answer = post(baseUrl);
    await whenRunning(mark, 1);
    const response = await answer;
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "QUERY_ERROR",
      error: "The query was stopped after 1.5 s. Narrow the range or add filters",
    });
    await whenRunning(mark, 0);
  });

  test("a website over its limit is answered to retry later, while another is served", async () => {
    const values = { questdb: { readsPerWebsite: 1, maxWaitingReadsPerWebsite: 1 } };
    const { mark, baseUrl } = await startSlow({}, values);
    const client = new AbortController();
    const first = post(baseUrl, client.signal);
    await whenRunning(mark, 1);
    // Of these two one waits and one is refused, whichever comes first.
    const refused = await Promise.race([post(baseUrl, client.signal), post(baseUrl, client.signal)]);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    expect(await running(mark)).toBe(1);
    const own = website;
    website = await createWebsite();
    const other = post(baseUrl, client.signal);
    await whenRunning(mark, 2);
    website = own;
    client.abort();
    await Promise.allSettled([first, other]);
    await whenRunning(mark, 0);
  });

  test("a long answer is computed no faster than its client reads, and not after it disconnects", async () => {
    let made = 0;
    let ended = false;
    const piece = "x".repeat(1_000_000);
    async function* endless() {
      try {
        for (;;) {
          made += 1;
          yield piece;
          // Yields to the socket.
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        ended = true;
      }
    }
    server = await startOwnServer({
      "lookout.v1.QueryService": {
        query: async () => new AnswerInParts({ json: endless, whole: async () => ({}) }),
      },
    });
    const body = JSON.stringify({ parameters: ["pages"], preset: "today" });
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST /v1/query?website_id=${website.websiteId} HTTP/1.1\r\nhost: x\r\nx-api-key: ${website.apiKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString("latin1")).toMatch(/^HTTP\/1.1 200 OK/);
    socket.pause();
    // The sockets' buffers hold some; then nothing more is computed.
    let before = -1;
    await vi.waitFor(
      () => {
        const grew = made !== before;
        before = made;
        expect(grew).toBe(false);
      },
      { timeout: 100_000, interval: 300 },
    );
    expect(made).toBeLessThan(40);
    socket.destroy();
    await vi.waitFor(() => expect(ended).toBe(true), waiting);
  });
});
