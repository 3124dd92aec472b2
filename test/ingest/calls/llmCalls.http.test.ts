import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Row } from "../../../src/store/questdb/questdbReader.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

const timestamp = noonDaysAgo(3);

/** What a client for language models sends, with a prompt and a user that must not be stored. */
const sent = {
  eventId: "l1",
  timestamp,
  provider: "openai",
  model: "gpt-4o",
  type: "generate",
  durationMs: 812.5,
  finishReason: "tool-calls",
  httpStatus: 200,
  traceId: "trace-1",
  userId: "person@example.com",
  input: [{ role: "user", content: "secret prompt" }],
  output: [{ role: "assistant", content: "secret answer" }],
  usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 },
  cost: { inputTokenCostUSD: 0.25, outputTokenCostUSD: 0.5 },
  tools: { names: ["search", "search", "read"], resultCount: 3 },
};

const stored = {
  ts: timestamp,
  event_id: "l1",
  event_key: expect.anything(),
  provider: "openai",
  model: "gpt-4o",
  call_type: "generate",
  finish_reason: "tool-calls",
  input_tokens: 100,
  output_tokens: 20,
  total_tokens: 120,
  cached_input_tokens: 40,
  cache_creation_input_tokens: null,
  reasoning_tokens: 5,
  web_search_count: null,
  input_cost_usd: 0.25,
  output_cost_usd: 0.5,
  total_cost_usd: 0.75,
  duration_ms: 812.5,
  http_status: 200,
  tool_call_count: 3,
  tool_result_count: 3,
  tool_names: '["search","search","read"]',
  error_name: null,
  error_message: null,
  error_stack: null,
  trace_id: "trace-1",
};

test("A3 /llm: a call is stored with its tokens and cost, without prompt, answer and user", async () => {
  const { websiteId, organizationId, clientId } = await createWebsite();
  const answer = await send("POST", `/llm?client_id=${clientId}`, { body: sent });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "success",
    type: "llm_call",
    processed: 1,
    count: 1,
    results: [{ status: "success", type: "llm_call", eventId: "l1" }],
  });
  expect(await storedRows("llm_calls", websiteId, 1)).toEqual([
    { ...stored, organization_id: organizationId, website_id: websiteId },
  ]);
});

test("A3 /llm: a failed call is stored with its error", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const error = { name: "RateLimitError", message: "429 from https://api.example.com/v1?key=k", stack: "at /a?b:1:2" };
  const body = [
    { provider: "openai", model: "gpt-4o", websiteId, httpStatus: 429, error },
    { provider: "openai", model: "gpt-4o", websiteId, timestamp, error: {} },
  ];
  const answer = await send("POST", "/llm", { apiKey, body });
  expect(answer).toMatchObject({ status: 200, body: { count: 2 } });
  expect(await storedRows("llm_calls", websiteId, 2)).toMatchObject([
    { ts: timestamp, error_name: "Error", error_message: null, total_tokens: null, total_cost_usd: null },
    {
      error_name: "RateLimitError",
      error_message: "429 from https://api.example.com/v1",
      error_stack: "at /a:1:2",
      http_status: 429,
    },
  ]);
});

test("5: calls of a key without a website belong to its organization", async () => {
  const { organizationId, apiKey } = await createWebsite();
  const answer = await send("POST", "/llm", { apiKey, body: [sent, sent] });
  expect(answer.body).toMatchObject({ status: "success", processed: 2, count: 1 });
  await send("POST", "/llm", { apiKey, body: { ...sent, timestamp: timestamp + 1_000 } });
  // Rows become visible in the order they were sent.
  await send("POST", "/llm", { apiKey, body: { ...sent, eventId: "l2", timestamp: timestamp + 2_000 } });
  await expect
    .poll(() => rowsOfOrganization(organizationId))
    .toMatchObject([
      { organization_id: organizationId, website_id: null, event_id: "l1", total_cost_usd: 0.75 },
      { event_id: "l2" },
    ]);
});

test("5: a key needs write:events and reaches only its websites; without a key a website must be named", async () => {
  const { websiteId, organizationId } = await createWebsite();
  const other = await createWebsite();
  const reader = await createKey({ organizationId, scopes: ["read:data"] });
  const limited = await createKey({ organizationId, websiteIds: [websiteId] });
  const call = { provider: "openai", model: "gpt-4o" };
  expect(await send("POST", "/llm", { apiKey: reader, body: call })).toMatchObject({
    status: 403,
    body: { status: "error", code: "ACCESS_DENIED" },
  });
  expect(await send("POST", "/llm", { apiKey: other.apiKey, body: { ...call, websiteId } })).toMatchObject({
    status: 403,
    body: { code: "ACCESS_DENIED" },
  });
  for (const apiKey of [undefined, limited])
    expect(await send("POST", "/llm", { ...(apiKey && { apiKey }), body: call })).toMatchObject({
      status: 400,
      body: { code: "MISSING_WEBSITE_ID" },
    });
  expect(await send("POST", "/llm", { body: { ...call, websiteId: randomUUID() } })).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND" },
  });
});

test("7.6: invalid calls among valid ones are errors in results", async () => {
  const { websiteId } = await createWebsite();
  const good = { provider: "openai", model: "gpt-4o" };
  const body = [
    good,
    { model: "gpt-4o" },
    { ...good, usage: { inputTokens: 1.5 } },
    { ...good, eventId: "l4", websiteId: randomUUID() },
  ];
  const named = await send("POST", `/llm?website_id=${websiteId}`, { body: body.slice(0, 3) });
  const failed = { status: "error", type: "llm_call", eventType: "llm_call" };
  expect(named.body).toEqual({
    status: "success",
    type: "llm_call",
    processed: 3,
    count: 1,
    results: [
      { status: "success", type: "llm_call" },
      { ...failed, message: expect.stringMatching(/^provider /) },
      { ...failed, message: expect.stringMatching(/^usage\.inputTokens /) },
    ],
  });
  const mixed = await send("POST", "/llm", { body: [{ ...good, websiteId }, body[3]] });
  expect(mixed.body).toMatchObject({
    count: 1,
    results: [
      { status: "success" },
      {
        ...failed,
        eventId: "l4",
        message: "websiteId cannot be used: This website does not exist or was deleted; check its website_id",
      },
    ],
  });
  await storedRows("llm_calls", websiteId, 2);
});

async function rowsOfOrganization(organizationId: string): Promise<Row[]> {
  const reader = openQuestdb();
  try {
    return await reader.read("SELECT * FROM llm_calls WHERE organization_id = $1 ORDER BY ts", [organizationId]);
  } finally {
    await reader.close();
  }
}
