import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { handlers } from "../../../src/main/handlers.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type BrokenOffReads, breakOffReads } from "../../kit/servers/brokenOffReads.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

const rows = 20;
let proxy: BrokenOffReads;
let server: OwnServer;
let website: TestWebsite;

beforeAll(async () => {
  website = await createWebsite();
  const reader = openQuestdb();
  await reader.change(
    "INSERT INTO events (ts, website_id, event_key, event_type, name, path) " +
      `SELECT dateadd('m', x::int, '2026-03-01'::timestamp), $1, x, 'page_view', 'n', '/' || x FROM long_sequence(${rows})`,
    [website.websiteId],
  );
  const count = async () =>
    (await reader.read("SELECT count() AS n FROM events WHERE website_id = $1", [website.websiteId]))[0]?.["n"];
  await vi.waitUntil(async () => (await count()) === rows, { timeout: 100_000, interval: 100 });
  await reader.close();
  proxy = await breakOffReads(inject("lookout").storeEnv["QUESTDB_PG"] ?? "");
  server = await startOwnServer(handlers, { QUESTDB_PG: proxy.url });
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

const query = { table: "events", selects: [{ field: "path" }] };
const range = { startDate: "2026-03-01", endDate: "2026-03-01" };
/** Each with a text of the statement that answers it: others before it find out where its visits are stored. */
const calls = [
  { path: "/v1/query/custom", withText: "FROM events", body: { query, ...range } },
  { path: "/v1/query", withText: "'page_view'", body: { parameters: ["page_views"], ...range } },
];

const ask = ({ path, body }: (typeof calls)[number]) =>
  send("POST", `${path}?website_id=${website.websiteId}`, { body, apiKey: website.apiKey, baseUrl: server.baseUrl });

describe.each(calls)("7: a statement that QuestDB breaks off for a reason of its own, in $path", (call) => {
  test.each(["", "cancelled by user"])("is read again: '%s'", async (message) => {
    proxy.breakOff({ withText: call.withText, times: 1, message });
    const { status, body } = await ask(call);
    expect(proxy.left()).toBe(0);
    expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
    const whole = call.path === "/v1/query" ? [{ success: true, data: [{ value: rows }] }] : { length: rows };
    expect(body).toMatchObject({ data: whole });
  });

  test("is SERVICE_UNAVAILABLE when it stays so", async () => {
    proxy.breakOff({ withText: call.withText, times: 1_000, message: "" });
    const { status, headers, body } = await ask(call);
    proxy.breakOff({ withText: call.withText, times: 0, message: "" });
    expect({ status, retryAfter: headers.get("retry-after"), body }).toMatchObject({
      status: 503,
      retryAfter: "5",
      body: { code: "SERVICE_UNAVAILABLE" },
    });
  });

  test("is not repeated after QuestDB's own timeout", async () => {
    proxy.breakOff({ withText: call.withText, times: 2, message: "timeout, query aborted" });
    const { body } = await ask(call);
    expect(proxy.left()).toBe(1);
    proxy.breakOff({ withText: call.withText, times: 0, message: "" });
    expect(JSON.stringify(body)).toContain("The query was stopped after");
  });
});
