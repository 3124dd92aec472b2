import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, inject, test } from "vitest";
import { ClientService } from "../../../src/gen/lookout/v1/clients_pb.ts";
import { LlmCallService } from "../../../src/gen/lookout/v1/llm_calls_pb.ts";
import { ScriptErrorService } from "../../../src/gen/lookout/v1/script_errors_pb.ts";
import { VitalService } from "../../../src/gen/lookout/v1/vitals_pb.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const transport = createGrpcTransport({ baseUrl: inject("lookout").baseUrl });

test("2 performance metric record: measurements over gRPC are each validated separately", async () => {
  const { websiteId } = await createWebsite();
  const answer = await createClient(VitalService, transport).recordVitals({
    websiteId,
    vitals: [
      { metricName: "LCP", metricValue: 12, eventId: "v1" },
      { metricName: "XYZ", metricValue: 1, eventId: "v2" },
    ],
  });
  expect(answer).toMatchObject({
    status: "success",
    type: "web_vitals",
    processed: 2,
    count: 1,
    results: [
      { status: "success", type: "web_vitals", eventId: "v1" },
      { status: "error", type: "web_vitals", eventId: "v2", message: expect.stringMatching(/^metricName must be/) },
    ],
  });
  expect(await storedRows("performance_metrics", websiteId, 1)).toMatchObject([{ metric_type: "LCP", value: 12 }]);
});

test("B3 /errors: errors over gRPC; if none is valid the answer is INVALID_ARGUMENT", async () => {
  const { websiteId } = await createWebsite();
  const client = createClient(ScriptErrorService, transport);
  expect(await client.recordScriptErrors({ websiteId, errors: [{ message: "no", lineno: 3 }] })).toMatchObject({
    status: "success",
    count: 1,
  });
  expect(await storedRows("script_errors", websiteId, 1)).toMatchObject([{ message: "no", line_number: 3 }]);
  const refused = await client.recordScriptErrors({ websiteId, errors: [{}] }).catch(ConnectError.from);
  expect(refused).toMatchObject({ code: Code.InvalidArgument });
});

test("A3 /llm: calls of language models over gRPC with a key", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answer = await createClient(LlmCallService, transport).recordLlmCalls(
    { websiteId, calls: [{ provider: "p", model: "m", usage: { inputTokens: 3, outputTokens: 4 } }] },
    { headers: { authorization: `Bearer ${apiKey}` } },
  );
  expect(answer).toMatchObject({ status: "success", type: "llm_call", count: 1 });
  expect(await storedRows("llm_calls", websiteId, 1)).toMatchObject([{ provider: "p", model: "m", total_tokens: 7 }]);
});

test("A3: the calls of older and newer clients over gRPC", async () => {
  const { websiteId } = await createWebsite();
  const client = createClient(ClientService, transport);
  expect(await client.recordEvents({ websiteId, events: [{ eventName: "signup" }] })).toMatchObject({ count: 1 });
  expect(await client.recordEngagement({ websiteId, engagements: [{ timeOnPage: 2 }] })).toMatchObject({ count: 1 });
  expect(
    await client.identify({ profileId: "p1", traits: { kind: { case: "stringValue", value: "anything" } } }),
  ).toMatchObject({
    status: "success",
    stored: false,
  });
  expect(await client.getFlags({})).toMatchObject({ flags: {} });
  const parts: Uint8Array[] = [];
  for await (const part of client.getPixel({ websiteId, name: "screen_view", path: "/pixel" })) parts.push(part.data);
  expect(Buffer.concat(parts).subarray(0, 6).toString()).toBe("GIF89a");
  const rows = await storedRows("events", websiteId, 3);
  expect(rows.map((row) => row["event_type"]).sort()).toEqual(["custom", "page_exit", "page_view"]);
});
