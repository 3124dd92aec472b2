import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { insertManyEvents } from "../../kit/largest/manyEvents.ts";
import { type ApiProcess, startApiProcess } from "../../kit/stack/apiProcess.ts";

/** Far more than can be counted in the time of a request: 20 queries of 20 parameters, each with its own filters, over all events. */
const queries = Array.from({ length: 20 }, (_, index) => ({
  id: `query ${index}`,
  preset: "last_90d",
  parameters: Array.from({ length: 20 }, (_, place) => ({ name: place % 2 === 0 ? "summary_metrics" : "top_pages" })),
  filters: [{ field: "path", op: "contains", value: `age/${index}` }],
}));
const events = 100_000;

let api: ApiProcess;
let website: TestWebsite;

beforeAll(async () => {
  website = await createWebsite();
  for (const { http, pg } of inject("lookout").questdbs)
    await insertManyEvents({ http, pg }, website.websiteId, events, 1_000);
  api = await startApiProcess({ LOG_LEVEL: "fatal", QUERY_TIMEOUT_MS: "100" });
});

afterAll(() => api?.stop());

type Outcome = { readonly success: boolean; readonly error?: string | undefined };

function expectEnded(parameters: readonly Outcome[]): void {
  expect(parameters).toHaveLength(400);
  const error =
    "The request was stopped after 0.1 s. Ask for fewer parameters at once, narrow the range or add filters";
  const failed = parameters.filter(({ success }) => !success);
  expect(failed.length).toBeGreaterThan(0);
  expect(new Set(failed.map(({ error }) => error))).toEqual(new Set([error]));
}

test("7 when a request's time is up, each unfinished parameter says so", async () => {
  const response = await fetch(`${api.baseUrl}/v1/query?website_id=${website.websiteId}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": website.apiKey },
    body: JSON.stringify(queries),
  });
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as { results: { data: Outcome[] }[] };
  expectEnded(results.flatMap(({ data }) => data));
});

test("7 the same over gRPC", async () => {
  const client = createClient(QueryService, createGrpcTransport({ baseUrl: api.baseUrl }));
  const { batch } = await client.query(
    {
      websiteId: website.websiteId,
      queries: queries.map(({ filters, ...query }) => ({
        ...query,
        filters: filters.map(({ value, ...filter }) => ({
          ...filter,
          value: { kind: { case: "stringValue" as const, value } },
        })),
      })),
    },
    { headers: { "x-api-key": website.apiKey } },
  );
  expectEnded(batch?.results.flatMap(({ data }) => data) ?? []);
});
