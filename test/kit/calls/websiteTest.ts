import { expect, test } from "vitest";
import { type JsonAnswer, send } from "./request.ts";
import { createWebsite, type TestWebsite } from "./website.ts";

/** Calls about the test's website, with its key. */
export type WebsiteApi = {
  /** Sends events as a server does, and expects all of them to be taken. */
  sendEvents(events: readonly object[]): Promise<void>;
  /** The rows of one query type, by default of the last seven days. */
  rowsOf(parameter: string, query?: object): Promise<unknown>;
  /** Any other call. */
  call(verb: string, path: string, body?: unknown): Promise<JsonAnswer>;
};

/** A test that gets a website of its own, of an organization of its own, and `api` for calls about it. */
export const websiteTest = test.extend<{ website: TestWebsite; api: WebsiteApi }>({
  // Vitest reads the names of what a fixture needs from this pattern.
  // biome-ignore lint/correctness/noEmptyPattern: nothing is needed
  website: async ({}, use) => use(await createWebsite()),
  api: async ({ website }, use) => use(apiOf(website)),
});

function apiOf({ websiteId, apiKey }: TestWebsite): WebsiteApi {
  const call = (verb: string, path: string, body?: unknown) =>
    send(verb, path, { apiKey, ...(body === undefined ? {} : { body }) });
  return {
    call,
    sendEvents: async (events) => {
      const answer = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: events });
      expect(answer.body).toMatchObject({ status: "success" });
    },
    rowsOf: async (parameter, query = { preset: "last_7d" }) => {
      const answer = await call("POST", `/v1/query?website_id=${websiteId}`, { ...query, parameters: [parameter] });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return (answer.body as { data: { data: unknown }[] }).data[0]?.data;
    },
  };
}
