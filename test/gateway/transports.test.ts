import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { createConnectTransport as createBrowserTransport } from "@connectrpc/connect-web";
import { credentials, loadPackageDefinition, Metadata } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { describe, expect, inject, test } from "vitest";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "../../src/gen/google/rpc/error_details_pb.ts";
import { Health } from "../../src/gen/grpc/health/v1/health_pb.ts";
import { FieldSuggestionSchema } from "../../src/gen/lookout/v1/error_pb.ts";
import { IngestService } from "../../src/gen/lookout/v1/ingest_pb.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { createWebsite } from "../kit/calls/website.ts";

const run = promisify(execFile);
const { baseUrl, grpcurlPath } = inject("lookout");
const address = new URL(baseUrl).host;

const transports: Record<string, () => Transport> = {
  gRPC: () => createGrpcTransport({ baseUrl }),
  "gRPC-Web over HTTP/1.1": () => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
  "Connect over HTTP/2": () => createConnectTransport({ baseUrl, httpVersion: "2" }),
  "Connect of browsers": () => createBrowserTransport({ baseUrl }),
};

describe.each(Object.entries(transports))("typed client, %s", (_name, createTransport) => {
  test("part 4: an event that was stored is counted by a query", async () => {
    const { websiteId, apiKey } = await createWebsite();
    const transport = createTransport();
    const stored = await createClient(IngestService, transport).batch({ websiteId, events: [pageView()] });
    expect(stored).toMatchObject({ status: "success", processed: 1, batched: { track: 1, outgoingLink: 0 } });
    const queries = createClient(QueryService, transport);
    await expect
      .poll(async () => {
        const answer = await queries.query(
          { websiteId, query: { parameters: [{ name: "summary_metrics" }], preset: "today" } },
          { headers: { authorization: `Bearer ${apiKey}` } },
        );
        return answer.single?.data[0]?.data[0];
      })
      .toMatchObject({ pageviews: 1 });
  });

  test("part 7: an error carries code, fields and request id as google.rpc details", async () => {
    const { websiteId, apiKey } = await createWebsite();
    const error = await createClient(QueryService, createTransport())
      .query(
        { websiteId, query: { parameters: [{ name: "top_pagse" }], preset: "today" } },
        { headers: { "x-api-key": apiKey } },
      )
      .catch((thrown: unknown) => ConnectError.from(thrown));
    if (!(error instanceof ConnectError)) throw new Error("the call should have failed");
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "VALIDATION_ERROR", domain: "lookout.v1" }]);
    expect(error.findDetails(RequestInfoSchema)).toMatchObject([{ requestId: expect.stringMatching(/^req_/) }]);
    expect(error.findDetails(BadRequestSchema)[0]?.fieldViolations).toMatchObject([
      { field: "parameters[0]", description: 'names the unknown query type "top_pagse"; did you mean "top_pages"?' },
    ]);
    expect(error.findDetails(FieldSuggestionSchema)).toMatchObject([
      { field: "parameters[0]", suggestion: "top_pages" },
    ]);
    expect(error.findDetails(RetryInfoSchema)).toEqual([]);
  });

  test("part 5: credentials are required", async () => {
    const { websiteId } = await createWebsite();
    const call = createClient(QueryService, createTransport()).query({
      websiteId,
      query: { parameters: [{ name: "top_pages" }], preset: "today" },
    });
    await expect(call).rejects.toMatchObject({ code: Code.Unauthenticated });
  });
});

test("grpcurl by reflection: list, describe, unary, error, health", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const grpcurl = (...args: string[]) => run(grpcurlPath, ["-plaintext", ...args]);
  expect((await grpcurl(address, "list")).stdout).toContain("lookout.v1.QueryService");
  expect((await grpcurl(address, "describe", "lookout.v1.TrackPayload")).stdout).toContain("string anonymous_id = 3");
  const body = JSON.stringify({
    website_id: websiteId,
    query: { parameters: [{ name: "visitors" }], preset: "today" },
  });
  const answer = await grpcurl("-H", `x-api-key: ${apiKey}`, "-d", body, address, "lookout.v1.QueryService/Query");
  expect(JSON.parse(answer.stdout)).toMatchObject({
    single: { success: true, data: [{ parameter: "visitors", success: true }] },
  });
  await expect(grpcurl("-d", body, address, "lookout.v1.QueryService/Query")).rejects.toMatchObject({
    stderr: expect.stringContaining("Unauthenticated"),
  });
  await expect(
    grpcurl("-H", `x-api-key: ${apiKey}`, "-d", '{"id":"none"}', address, "lookout.v1.LinkService/GetLink"),
  ).rejects.toMatchObject({ stderr: expect.stringContaining("NotFound") });
  await expect(
    grpcurl(
      "-H",
      `x-api-key: ${apiKey}`,
      "-d",
      body.replace("visitors", "visitosr"),
      address,
      "lookout.v1.QueryService/Query",
    ),
  ).rejects.toMatchObject({
    stderr: expect.stringMatching(/"field": "parameters\[0\]"[\s\S]*"suggestion": "visitors"/),
  });
  const health = await grpcurl("-d", '{"service":"lookout.v1.IngestService"}', address, "grpc.health.v1.Health/Check");
  expect(JSON.parse(health.stdout)).toEqual({ status: "SERVING" });
});

test("grpc-js, generated from the proto files alone, stores events and reads its own errors", async () => {
  const { websiteId } = await createWebsite();
  const loaded = loadPackageDefinition(
    loadSync("lookout/v1/ingest.proto", { includeDirs: ["proto", "third_party"], keepCase: true, defaults: true }),
  );
  const Client = serviceClient(loaded, ["lookout", "v1", "IngestService"]);
  const client = new Client(address, credentials.createInsecure());
  const answer = await new Promise((resolve, reject) => {
    const call = client["Batch"];
    if (call === undefined) throw new Error("Batch is missing");
    call.call(
      client,
      { website_id: websiteId, events: [{ track: { ...snakeCase(), name: "" } }, { track: snakeCase() }] },
      new Metadata(),
      (error: Error | null, value: unknown) => (error === null ? resolve(value) : reject(error)),
    );
  });
  client.close();
  expect(answer).toMatchObject({
    processed: 2,
    batched: { track: 1 },
    results: [
      { status: "error", message: expect.stringContaining("name"), event_type: "track" },
      { status: "success", type: "track" },
    ],
  });
});

test("gRPC health: watch sends the state", async () => {
  const abort = new AbortController();
  const client = createClient(Health, createGrpcTransport({ baseUrl }));
  for await (const { status } of client.watch({ service: "" }, { signal: abort.signal })) {
    expect(status).toBe(1);
    break;
  }
  abort.abort();
});

function pageView() {
  return {
    payload: {
      case: "track" as const,
      value: {
        name: "page_view",
        anonymousId: "a",
        sessionId: "s",
        sessionStartTime: Date.now(),
        timestamp: Date.now(),
        path: "/",
        title: "Home",
        referrer: "",
        screenResolution: "1920x1080",
        viewportSize: "1440x900",
        timezone: "UTC",
        language: "en",
      },
    },
  };
}

function snakeCase() {
  return {
    name: "page_view",
    anonymous_id: "a",
    session_id: "s",
    session_start_time: Date.now(),
    timestamp: Date.now(),
    path: "/",
    title: "Home",
    referrer: "",
    screen_resolution: "1920x1080",
    viewport_size: "1440x900",
    timezone: "UTC",
    language: "en",
  };
}

type DynamicClient = {
  close(): void;
} & Record<
  string,
  (this: unknown, request: object, metadata: Metadata, done: (error: Error | null, value: unknown) => void) => void
>;

/** grpc-js makes clients at run time, so their methods are known only by name. */
function serviceClient(
  definition: object,
  path: readonly string[],
): new (
  address: string,
  credentials: unknown,
) => DynamicClient {
  let found: unknown = definition;
  for (const name of path) found = Object.entries(found ?? {}).find(([key]) => key === name)?.[1];
  return found as new (
    address: string,
    credentials: unknown,
  ) => DynamicClient;
}
