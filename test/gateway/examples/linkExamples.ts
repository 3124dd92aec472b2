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
  const { id } = await recorder.call("LinkService_CreateLink", { body: created });
  await recorder.refusal("LinkService_CreateLink", { body: created });
  await recorder.refusal("LinkService_CreateLink", { body: { ...created, targetUrl: "example.com" } });
  await recorder.call("LinkService_FollowLink", { path: { slug: "spring-sale" } });
  await recorder.refusal("LinkService_FollowLink", { path: { slug: "no-such-sale" } });
  await recorder.call("LinkService_GetLinkQr", { path: { slug: "spring-sale" }, query: { format: "svg" } });
  await recorder.refusal("LinkService_GetLinkQr", { path: { slug: "no-such-sale" } });
  await recorder.call("LinkService_UpdateLink", { body: { id, clickLimit: 1000 } });
  await recorder.call("LinkService_GetLink", { body: { id } });
  await recorder.call("LinkService_ListLinks", { body: { websiteId, search: "sale", limit: 20 } });
  const today = new Date().toISOString().slice(0, 10);
  const question = { websiteId, metric: "clicks", dimension: "country", dateFrom: today, dateTo: today };
  const clicks = async () => {
    const answer = await send("POST", "/analytics/query", { apiKey, body: question });
    return (answer.body as { total: number }).total;
  };
  await expect.poll(clicks).toBeGreaterThan(0);
  await recorder.call("LinkService_QueryLinkAnalytics", { body: question });
  const secret = await send("POST", "/links/create", {
    apiKey,
    body: { websiteId, slug: "members", targetUrl: "https://example.com/members", password: "open sesame" },
  });
  expect(secret.status).toBe(200);
  await recorder.call("LinkService_UnlockLink", { path: { slug: "members" }, body: { password: "open sesame" } });
  await recorder.refusal("LinkService_FollowLink", { path: { slug: "members" } });
  await recorder.call("LinkService_DeleteLink", { body: { id } });
}
