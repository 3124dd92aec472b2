import { afterAll, beforeAll, expect, test } from "vitest";
import type { ImplementedHandlers } from "../../src/gateway/procedure.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";

/** The requests that the handlers got, and answers in every form of the contract. */
const calls: Record<string, unknown>[] = [];
let abortedDownloads = 0;

const handlers: ImplementedHandlers = {
  "lookout.v1.DataService": {
    deleteData: (request) => {
      calls.push({ ...request });
      return {
        success: true,
        deleted: { events: 1_234_567_890_123, sessions: 0 },
        deletionId: "d1",
        status: "processing",
      };
    },
    getDeletion: ({ deletionId }) => ({ success: true, deletionId, status: "processing", progress: 12.5 }),
    createExport: ({ websiteId }) => ({
      success: true,
      exportId: `of ${websiteId}`,
      status: "processing",
      estimatedCompletion: "",
    }),
    async *downloadExport({ exportId }, call) {
      call.signal.addEventListener("abort", () => {
        abortedDownloads += 1;
      });
      const data = new Uint8Array(64 * 1024).fill(97);
      yield { contentType: "text/csv", fileName: `${exportId} "x".csv`, data };
      const parts = exportId === "endless" ? Number.POSITIVE_INFINITY : 15;
      for (let part = 0; part < parts && !call.signal.aborted; part += 1) {
        if (exportId === "broken" && part === 3) throw new Error("the disk is on fire");
        yield { data };
      }
    },
  },
  "lookout.v1.WebsiteService": {
    deleteWebsite: () => {
      throw new Error("connect ECONNREFUSED to postgres://lookout:secret@10.0.0.1");
    },
  },
  "lookout.v1.QueryService": {
    listQueryTypes: (request) => {
      calls.push({ ...request });
      return { success: true, requestId: "r", types: ["a"], configs: { a: { allowedFilters: [] } }, presets: [] };
    },
    query: (request) => {
      calls.push({ ...request });
      const answer = {
        queryId: "",
        data: [{ parameter: "p", success: true, data: [{ nested: { deep: [1, null] } }] }],
      };
      return request.query === undefined
        ? { batch: { success: true, requestId: "r", batch: true, results: request.queries.map(() => answer) } }
        : { single: { success: true, requestId: "r", ...answer } };
    },
  },
};

let server: OwnServer;
let website: TestWebsite;

beforeAll(async () => {
  server = await startOwnServer(handlers);
  website = await createWebsite();
});

afterAll(() => server.close());

async function send(
  verb: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(server.baseUrl + path, {
    method: verb,
    headers: { authorization: `Bearer ${website.apiKey}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("4.17: DELETE with a body and a path parameter; counts are numbers", async () => {
  const answer = await send("DELETE", "/v1/websites/a%2Fb/data", {
    start_date: "2026-01-01",
    end_date: "2026-01-31",
    data_types: ["events", "sessions"],
    website_id: "from the body",
  });
  expect(answer.text).toBe(
    '{"success":true,"deleted":{"events":1234567890123,"sessions":0},"deletion_id":"d1","status":"processing"}',
  );
  expect(calls.at(-1)).toMatchObject({ websiteId: "a/b", startDate: "2026-01-01", dataTypes: ["events", "sessions"] });
});

test("4.17: every invalid field of body and path is named", async () => {
  const answer = await send("DELETE", "/v1/websites/x/data", { start_date: "01/02/2026", data_types: ["event", 5] });
  expect(answer.status).toBe(400);
  const { details } = JSON.parse(answer.text);
  expect(details).toEqual([
    { field: "start_date", message: "must be a day as YYYY-MM-DD, such as 2026-01-31" },
    { field: "end_date", message: expect.any(String) },
    { field: "data_types[0]", message: expect.stringContaining("must be one of events"), suggestion: "events" },
    { field: "data_types[1]", message: "must be a string" },
  ]);
});

test("4.18, 4.19: fields without a value yet are written as null", async () => {
  const started = await send("POST", "/v1/websites/w/export", {
    start_date: "2026-01-01",
    end_date: "2026-01-31",
    format: "csv",
    data_types: ["events"],
  });
  expect(JSON.parse(started.text)).toMatchObject({ export_id: "of w", download_url: null });
  expect(JSON.parse((await send("GET", "/v1/deletions/d1")).text)).toMatchObject({
    success: true,
    deletion_id: "d1",
    status: "processing",
    progress: 12.5,
    receipt: null,
  });
});

test("4.2: query parameters are read as the kind of their field", async () => {
  for (const [text, value] of [
    ["include_meta=true", true],
    ["include_meta=1", true],
    ["include_meta=false", false],
    ["", false],
  ])
    expect([await send("GET", `/v1/query/types?${text}`), calls.at(-1)]).toMatchObject([
      { status: 200 },
      { includeMeta: value },
    ]);
  const misspelt = await send("GET", "/v1/query/types?includemeta=true");
  expect(JSON.parse(misspelt.text)).toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ field: "includemeta", message: "is unknown; known are include_meta", suggestion: "include_meta" }],
  });
  const bad = await send("GET", "/v1/query/types?include_meta=maybe");
  expect(JSON.parse(bad.text)).toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ field: "include_meta", message: "must be true or false" }],
  });
});

test("4.1: an object or an array, strings or objects, op or operator, explicit nulls", async () => {
  const single = await send("POST", "/v1/query?website_id=w&timezone=Europe%2FBerlin", {
    id: null,
    parameters: ["a", { name: "b", id: "B", granularity: null }],
    filters: [
      { field: "path", op: "eq", value: 5 },
      { field: "path", operator: "in", value: ["a", 1, true] },
    ],
    limit: null,
    page: 2,
  });
  const misspelt = await send("POST", "/v1/query?website_id=w&websiteid=w", { parameters: ["a"], startDay: "", a: 1 });
  expect(JSON.parse(misspelt.text).details).toMatchObject([
    { field: "websiteid", suggestion: "website_id" },
    { field: "startDay", suggestion: "startDate" },
    { field: "a" },
  ]);
  expect(single.text).toBe(
    '{"success":true,"requestId":"r","queryId":"","data":[{"parameter":"p","success":true,"data":[{"nested":{"deep":[1,null]}}],"error":null}]}',
  );
  expect(calls.at(-1)).toMatchObject({
    websiteId: "w",
    timezone: "Europe/Berlin",
    query: { id: undefined, parameters: [{ name: "a" }, { name: "b", id: "B" }], limit: undefined, page: 2 },
  });
  const batch = await send("POST", "/v1/query", [{ parameters: ["a"] }, { parameters: ["b"] }]);
  expect(JSON.parse(batch.text)).toMatchObject({
    success: true,
    batch: true,
    results: [{ queryId: "" }, { queryId: "" }],
  });
  const bad = await send("POST", "/v1/query", [{ parameters: ["a"] }, { parameters: ["b", 7] }]);
  expect(JSON.parse(bad.text).details).toEqual([{ field: "[1].parameters[1]", message: expect.any(String) }]);
});

test("4.19: a download is complete, with its type and a safe name", async () => {
  const answer = await send("GET", "/v1/exports/e1/download");
  expect(answer.headers.get("content-type")).toBe("text/csv");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="e1__x_.csv"');
  expect(answer.text.length).toBe(16 * 64 * 1024);
  const head = await send("HEAD", "/v1/exports/e1/download");
  expect([head.status, head.text]).toEqual([200, ""]);
});

test("4.19: a download that fails closes the connection instead of looking complete", async () => {
  await expect(send("GET", "/v1/exports/broken/download")).rejects.toThrow();
});

test("a client that disconnects ends its download", async () => {
  const abort = new AbortController();
  const before = abortedDownloads;
  const response = await fetch(`${server.baseUrl}/v1/exports/endless/download`, { signal: abort.signal });
  await response.body?.getReader().read();
  abort.abort();
  await expect.poll(() => abortedDownloads).toBe(before + 1);
});

test("4.16 and part 7 rule 7: websites/delete fails as {error, code}, and internal errors are answered without their text", async () => {
  const answer = await send("POST", "/websites/delete", { id: "x" });
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.text)).toEqual({
    error: "Something went wrong on our side. Try again; if it stays, report the requestId",
    code: "INTERNAL_SERVER_ERROR",
    requestId: answer.headers.get("x-request-id"),
  });
});
