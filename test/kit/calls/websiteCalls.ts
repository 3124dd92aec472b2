import { expect } from "vitest";
import { send } from "./request.ts";

export type Key = { readonly apiKey: string };
export type ShownWebsite = Record<string, unknown> & { id: string; clientId: string; updatedAt: string };

/** A time as answers write it. */
export const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Calls POST /websites/<path> with a key. */
export const post = (path: string, body: unknown, { apiKey }: Key) =>
  send("POST", `/websites/${path}`, { body, apiKey });

/** Creates a website through the API. */
export async function create(more: Record<string, unknown>, key: Key): Promise<ShownWebsite> {
  const answer = await post("create", { name: "Shop", domain: "shop.example", ...more }, key);
  expect(answer.body).toMatchObject({ id: expect.any(String) });
  expect(answer.status).toBe(200);
  return answer.body as ShownWebsite;
}

export const sendEvents = (id: string, events: unknown[], baseUrl?: string) =>
  send("POST", `/batch?website_id=${id}`, { body: events, ...(baseUrl === undefined ? {} : { baseUrl }) });

export const pageView = (more: Record<string, unknown> = {}) => ({
  name: "page_view",
  path: "/",
  anonymousId: "visitor",
  sessionId: "session",
  ...more,
});
