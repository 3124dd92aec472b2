import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite } from "../../kit/calls/website.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

async function rows(project: string, apiKey: string, type: string): Promise<Rows> {
  const { body } = await send("POST", `/v1/query?${project}`, {
    apiKey,
    body: { preset: "last_7d", parameters: [type] },
  });
  expect(body).toMatchObject({ data: [{ success: true }] });
  const { data } = body as { data: { data: Rows }[] };
  return data[0]?.data ?? [];
}

test("A1 an organization sees its own calls and its websites', a website only its own", async () => {
  const { websiteId, organizationId, apiKey } = await createWebsite();
  const stranger = await createWebsite();
  const limitedKey = await createKey({ organizationId, websiteIds: [websiteId] });
  const call = { provider: "openai", model: "gpt-4o", usage: { inputTokens: 10, outputTokens: 5 } };
  await send("POST", `/llm?website_id=${websiteId}`, { apiKey, body: [call, call] });
  await send("POST", "/llm", { apiKey, body: [{ ...call, traceId: "t1" }] });
  await send("POST", "/llm", { apiKey: stranger.apiKey, body: [call] });
  const organization = `organization_id=${organizationId}`;
  await expect
    .poll(async () => (await rows(organization, apiKey, "llm_overview_kpis"))[0], { timeout: 100_000 })
    .toMatchObject({ total_calls: 3, total_tokens: 45 });
  expect(await rows(`website_id=${websiteId}`, apiKey, "llm_overview_kpis")).toMatchObject([{ total_calls: 2 }]);
  expect(await rows(organization, limitedKey, "llm_overview_kpis")).toMatchObject([{ total_calls: 2 }]);
  expect(await rows(organization, apiKey, "llm_trace_summary")).toMatchObject([{ trace_id: "t1", website_id: "" }]);
});

test("A1 no accepted duration distorts the percentiles of others", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const durations = [0, 5e-324, 1e-9, 86_400_000, 200, 200, 200];
  const body = durations.map((durationMs) => ({ provider: "openai", model: "gpt-4o", durationMs }));
  await send("POST", `/llm?website_id=${websiteId}`, { apiKey, body });
  await expect
    .poll(() => rows(`website_id=${websiteId}`, apiKey, "llm_latency_by_model"), { timeout: 100_000 })
    .toMatchObject([{ calls: 7, p50_duration_ms: expect.closeTo(200, 0) }]);
});

test("A1: a public website shows current pages and countries, but no messages, ids, event names or language models", async () => {
  const { websiteId, apiKey } = await createWebsite({ publicAccess: true });
  const event = { name: "page_view", path: "/now", anonymousId: "v1", sessionId: "s1" };
  await send("POST", `/batch?website_id=${websiteId}`, { body: [event, { ...event, name: "buy" }] });
  const project = `website_id=${websiteId}`;
  await expect.poll(() => rows(project, apiKey, "realtime_feed"), { timeout: 100_000 }).toHaveLength(2);
  expect(await rows(project, apiKey, "realtime_sessions")).toMatchObject([{ session_id: "s1", current_page: "/now" }]);
  const ask = (type: string) =>
    send("POST", `/v1/query?${project}`, { body: { preset: "last_7d", parameters: [type] } });
  for (const type of ["realtime_pages", "realtime_countries", "realtime_velocity", "slow_pages", "vitals_by_country"])
    expect(await ask(type), type).toMatchObject({ status: 200, body: { data: [{ success: true }] } });
  const secret = ["realtime_feed", "realtime_sessions", "recent_errors", "error_summary", "llm_overview_kpis"];
  for (const type of secret) expect(await ask(type), type).toMatchObject({ status: 401 });
});
