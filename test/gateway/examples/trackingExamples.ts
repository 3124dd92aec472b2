import type { TestWebsite } from "../../kit/calls/website.ts";
import type { Recorder } from "./recorder.ts";

const pageView = (visitor: number, path: string, more: object = {}) => ({
  name: "page_view",
  path,
  title: "Pricing",
  anonymousId: `visitor-${visitor}`,
  sessionId: `session-${visitor}`,
  referrer: "https://www.google.com/",
  ...more,
});

/** What trackers and servers send. */
export async function recordTracking(recorder: Recorder, { websiteId }: TestWebsite): Promise<void> {
  const query = { website_id: websiteId };
  const visitor = { anonymousId: "visitor-1", sessionId: "session-1" };
  await recorder.call("batch", {
    query,
    body: [pageView(1, "/pricing?utm_source=newsletter"), { name: "signup", ...visitor, path: "/signup" }],
  });
  await recorder.call("collect", {
    query,
    body: { type: "outgoing_link", ...visitor, href: "https://partner.example/", text: "Our partner" },
  });
  await recorder.call("track", {
    query,
    body: [{ name: "order", ...visitor, properties: { plan: "pro", price: 49 } }],
  });
  await recorder.call("recordEvents", {
    query,
    body: [{ eventName: "newsletter_joined", ...visitor, path: "/blog" }],
  });
  await recorder.call("recordEngagement", {
    query,
    body: [{ ...visitor, path: "/pricing", timeOnPage: 42, maxScrollDepth: 80 }],
  });
  await recorder.call("identify", { body: { profileId: "42", traits: { plan: "pro" } } });
  await recorder.call("getFlags");
  await recorder.call("getPixel", { query: { ...query, name: "mail_opened", path: "/newsletter" } });
  await recorder.call("recordVitals", {
    query,
    body: [{ metricName: "LCP", metricValue: 1830, ...visitor, path: "/pricing" }],
  });
  await recorder.call("recordScriptErrors", {
    query,
    body: [
      {
        message: "price is undefined",
        errorType: "TypeError",
        filename: "https://example.com/app.js",
        lineno: 12,
        colno: 5,
        ...visitor,
        path: "/pricing",
      },
    ],
  });
  await recorder.call("recordLlmCalls", {
    query,
    body: [
      {
        provider: "example",
        model: "example-small",
        type: "generate",
        durationMs: 820,
        usage: { inputTokens: 512, outputTokens: 128 },
        cost: { inputUsd: 0.0004, outputUsd: 0.0006 },
      },
    ],
  });
}
