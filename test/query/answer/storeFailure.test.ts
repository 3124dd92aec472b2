import { afterEach, expect, inject, test } from "vitest";
import { handlers } from "../../../src/main/handlers.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { startOwnServer } from "../../kit/stack/ownServer.ts";

let stop: () => Promise<unknown> = async () => undefined;
afterEach(() => stop());

/** A second API process's worth of parts in this process, on the shared PostgreSQL, reading events from `questdbPg`. */
async function startApi(questdbPg: string): Promise<string> {
  const server = await startOwnServer(handlers, { LOG_LEVEL: "silent", QUESTDB_PG: questdbPg });
  stop = server.close;
  return server.baseUrl;
}

async function ask(baseUrl: string, filters: object[] = []) {
  const { websiteId, apiKey } = await createWebsite();
  const response = await fetch(`${baseUrl}/v1/query?website_id=${websiteId}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey },
    body: JSON.stringify({ parameters: ["page_views", "outbound_links"], preset: "today", filters }),
  });
  return { status: response.status, body: await response.json() };
}

test("7 SERVICE_UNAVAILABLE when the event store cannot be reached", async () => {
  // Port 1 is reserved (tcpmux), and nothing listens there.
  expect(await ask(await startApi("postgres://admin:quest@127.0.0.1:1/qdb"))).toEqual({
    status: 503,
    body: {
      success: false,
      error: "The event store does not answer. Try again in a few seconds",
      code: "SERVICE_UNAVAILABLE",
      requestId: expect.any(String),
    },
  });
});

test("7 rule 6: a statement that fails is that parameter's error, without its text", async () => {
  // A store that answers, but lacks the table.
  const { status, body } = await ask(await startApi(inject("lookout").databaseUrl), [
    { field: "title", op: "eq", value: "x" },
  ]);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    success: true,
    data: [
      {
        parameter: "page_views",
        success: false,
        data: [],
        error: "The query could not be executed. Try again or narrow the range",
      },
      {
        parameter: "outbound_links",
        success: false,
        data: [],
        error: expect.stringContaining('"title" is not permitted'),
      },
    ],
  });
});
