import { expect } from "vitest";
import { send } from "../../kit/calls/request.ts";
import type { TestWebsite } from "../../kit/calls/website.ts";
import type { Recorder } from "./recorder.ts";

/** Short links and their clicks. */
export async function recordLinks(recorder: Recorder, { websiteId, apiKey }: TestWebsite): Promise<void> {
  const created = {
    websiteId,
    slug: "spring-sale",
    targetUrl: "https://example.com/sale",
    name: "Spring sale",
    utm: { source: "newsletter", campaign: "spring" },
  };
  const { id } = await recorder.call("createLink", { body: created });
  await recorder.refusal("createLink", { body: created });
  await recorder.refusal("createLink", { body: { ...created, targetUrl: "example.com" } });
  await recorder.call("followLink", { path: { slug: "spring-sale" } });
  await recorder.refusal("followLink", { path: { slug: "no-such-sale" } });
  await recorder.call("getLinkQr", { path: { slug: "spring-sale" }, query: { format: "svg" } });
  await recorder.refusal("getLinkQr", { path: { slug: "no-such-sale" } });
  await recorder.call("updateLink", { body: { id, clickLimit: 1000 } });
  await recorder.call("getLink", { body: { id } });
  await recorder.call("listLinks", { body: { websiteId, search: "sale", limit: 20 } });
  const today = new Date().toISOString().slice(0, 10);
  const question = { websiteId, metric: "clicks", dimension: "country", dateFrom: today, dateTo: today };
  const clicks = async () => {
    const answer = await send("POST", "/analytics/query", { apiKey, body: question });
    return (answer.body as { total: number }).total;
  };
  await expect.poll(clicks).toBeGreaterThan(0);
  await recorder.call("queryLinkAnalytics", { body: question });
  const secret = await send("POST", "/links/create", {
    apiKey,
    body: { websiteId, slug: "members", targetUrl: "https://example.com/members", password: "open sesame" },
  });
  expect(secret.status).toBe(200);
  await recorder.call("unlockLink", { path: { slug: "members" }, body: { password: "open sesame" } });
  await recorder.refusal("followLink", { path: { slug: "members" } });
  await recorder.call("deleteLink", { body: { id } });
}
