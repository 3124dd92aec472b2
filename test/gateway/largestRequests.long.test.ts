import { getOption, hasOption } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type LargeQuery, largeQueries } from "../kit/largest/largeQueries.ts";
import { largeMessages } from "../kit/largest/largeToolCalls.ts";
import { insertManyEvents } from "../kit/largest/manyEvents.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import { expectServesOthers } from "./largest/blockedTime.ts";

/** A body of this size is the largest that is read (MAX_BODY_BYTES). */
const bodyBytes = 1_048_576;

let website: TestWebsite;
let api: ApiProcess;

beforeAll(async () => {
  website = await createWebsite();
  const { questdbHttp, questdbPg } = inject("lookout");
  await insertManyEvents({ http: questdbHttp, pg: questdbPg }, website.websiteId, 40_000, 3_000);
  api = await startApiProcess({ LOG_LEVEL: "fatal" }, { nodeFlags: ["--import", "./test/kit/largest/loopProbe.ts"] });
});

afterAll(() => api?.stop());

async function post(path: string, body: string): Promise<void> {
  const response = await fetch(`${api.baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": website.apiKey },
    body,
  });
  await response.arrayBuffer();
  expect(response.status, path).not.toBe(500);
}

const routes = services.flatMap(({ methods, typeName }) =>
  methods.flatMap((method) => {
    const path = hasOption(method, http) ? getOption(method, http).pattern.value : undefined;
    return path === undefined ? [] : [{ rpc: `${typeName}.${method.name}`, path }];
  }),
);

/** RPCs that are answered from events, so that a short request may be much work. */
const aboutEvents = /^lookout\.v1\.(Query|Funnel)Service\.(?!List)/;

test("8 every query of events has its largest case here", () => {
  const expected = routes.map(({ rpc }) => rpc).filter((rpc) => aboutEvents.test(rpc));
  expect(Object.keys(largeQueries).sort()).toEqual(expected.sort());
});

describe("8 no query of events blocks other requests", () => {
  const queries = Object.entries(largeQueries).flatMap(([rpc, all]) => all.map((query) => ({ rpc, ...query })));
  test.each(queries)("$rpc: $about", async ({ rpc, body, search = "" }: LargeQuery & { rpc: string }) => {
    const path = routes.find((route) => route.rpc === rpc)?.path ?? "";
    const text = JSON.stringify(body);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bodyBytes);
    await expectServesOthers(api, () => post(`${path}?website_id=${website.websiteId}${search}`, text));
  });
});

describe("8 no answer over gRPC blocks other requests", () => {
  const query = { preset: "last_90d", limit: 10_000, parameters: [{ name: "session_events" }, { name: "pages" }] };
  const options = () => ({ headers: { "x-api-key": website.apiKey } });
  const client = () => createClient(QueryService, createGrpcTransport({ baseUrl: api.baseUrl }));

  test("Query", () =>
    expectServesOthers(api, async () => {
      const { single } = await client().query({ websiteId: website.websiteId, query }, options());
      expect(single?.data.map(({ data }) => data.length)).toEqual([10_000, 10_000]);
    }));

  test("QueryColumns", () =>
    expectServesOthers(api, async () => {
      const { data } = await client().queryColumns({ websiteId: website.websiteId, query }, options());
      expect(data.map(({ rows }) => rows)).toEqual([10_000, 10_000]);
    }));

  test("Watch", () =>
    expectServesOthers(api, async () => {
      for await (const { answer } of client().watch({ websiteId: website.websiteId, query }, options())) {
        expect(answer?.data[0]?.data.length).toBe(10_000);
        return;
      }
    }));
});

describe("8 no message to /mcp blocks other requests", () => {
  const names = largeMessages("").map(({ about }) => about);
  test.each(names)("%s", async (name) => {
    const message = largeMessages(website.websiteId).find(({ about }) => about === name)?.message;
    await expectServesOthers(api, async () => {
      const response = await fetch(`${api.baseUrl}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "x-api-key": website.apiKey,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
      });
      const answer = await response.text();
      expect(response.status, answer.slice(0, 500)).toBe(200);
      const { error, result } = JSON.parse(answer);
      expect(JSON.stringify(error ?? result).slice(0, 500)).not.toMatch(/VALIDATION_ERROR/);
    });
  });
});

describe("8 no document blocks other requests", () => {
  test.each(["/openapi.json", "/docs", "/metrics"])("GET %s", (path) =>
    expectServesOthers(api, async () => {
      const response = await fetch(`${api.baseUrl}${path}`);
      await response.arrayBuffer();
      expect(response.status).toBe(200);
    }),
  );
});
