import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:http2";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { AnswerInParts } from "../../src/call/answerInParts.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";

const { baseUrl } = inject("lookout");
const types = "/v1/query/types?include_meta=true";
/** More than an answer that is held to know its length. */
const longCharacters = 6_000_000;

let website: TestWebsite;
/** Answers each query with a long text in parts. */
let own: OwnServer;
beforeAll(async () => {
  website = await createWebsite();
  async function* parts() {
    yield '{"text":"';
    for (let sent = 0; sent < longCharacters; sent += 1_000_000) yield "é0123456789".repeat(91_000).slice(0, 1_000_000);
    yield '"}';
  }
  own = await startOwnServer({
    "lookout.v1.QueryService": { query: async () => new AnswerInParts({ json: parts, whole: async () => ({}) }) },
  });
});
afterAll(() => own?.close());

type Raw = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer };

/** An answer's bytes as they were sent, which fetch would unpack. */
async function raw(
  address: string,
  headers: Record<string, string>,
  { verb = "GET", body }: { verb?: string; body?: object } = {},
): Promise<Raw> {
  const outgoing = request(address, { method: verb, headers });
  const answer = once(outgoing, "response");
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await answer;
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

function unpacked({ headers, bytes }: Raw): unknown {
  const encoding = headers["content-encoding"];
  const text = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes;
  return JSON.parse(text.toString());
}

test.each([
  ["gzip", "gzip"],
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["deflate", undefined],
  ["identity", undefined],
  [undefined, undefined],
])("RFC 9110 section 12.5.3: to Accept-Encoding %s a long answer is sent as %s", async (encodings, expected) => {
  const accepted: Record<string, string> = encodings === undefined ? {} : { "accept-encoding": encodings };
  for (const path of [types, "/openapi.json", "/docs/swagger-ui.css"]) {
    const answer = await raw(baseUrl + path, accepted);
    expect(answer.headers["content-encoding"], path).toBe(expected);
    expect(answer.headers.vary).toBe("Accept-Encoding");
    expect(answer.headers["content-length"]).toBe(String(answer.bytes.length));
    expect(answer.bytes.length < 100_000, path).toBe(expected !== undefined);
    if (path !== "/docs/swagger-ui.css") expect(unpacked(answer)).toBeTypeOf("object");
    const head = await raw(baseUrl + path, accepted, { verb: "HEAD" });
    expect(head.bytes.length).toBe(0);
    // The request id is in the answer of a call, so its compressed length differs a little.
    expect(Math.abs(Number(head.headers["content-length"]) - answer.bytes.length)).toBeLessThan(20);
    for (const name of ["content-encoding", "vary", "content-type", "etag"])
      expect(head.headers[name], `${path} ${name}`).toBe(answer.headers[name]);
  }
});

test("answers to POST, errors and messages to assistants are compressed, short ones are not", async () => {
  const headers = {
    "content-type": "application/json",
    "x-api-key": website.apiKey,
    "accept-encoding": "gzip",
    origin: "https://shop.example",
  };
  const query = `${baseUrl}/v1/query?website_id=${website.websiteId}`;
  const many = Array.from({ length: 20 }, () => "top_pages");
  const answer = await raw(query, headers, { verb: "POST", body: { parameters: many, preset: "today" } });
  expect(answer.headers).toMatchObject({ "content-encoding": "gzip", vary: "Origin, Accept-Encoding" });
  expect(unpacked(answer)).toMatchObject({ success: true });
  const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`unknown${index}`, 1]));
  const refusal = await raw(query, headers, { verb: "POST", body: unknown });
  expect(refusal).toMatchObject({ status: 400, headers: { "content-encoding": "gzip" } });
  expect(unpacked(refusal)).toMatchObject({ success: false });
  const short = await raw(query, headers, { verb: "POST", body: { parameters: ["no_such_type"] } });
  expect(short.bytes.length).toBeLessThan(1_024);
  expect(short.headers["content-encoding"]).toBeUndefined();
  expect(short.headers.vary).toBe("Origin");
  const { origin: _, ...own } = headers;
  const accept = "application/json, text/event-stream";
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const tools = await raw(`${baseUrl}/mcp`, { ...own, accept }, { verb: "POST", body: message });
  expect(tools.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(unpacked(tools)).toMatchObject({ result: { tools: expect.any(Array) } });
});

test.each(["gzip", "br", "identity"])(
  "an answer that is too long to hold is sent as %s while it is made",
  async (encoding) => {
    const headers = { "content-type": "application/json", "x-api-key": website.apiKey, "accept-encoding": encoding };
    const query = `${own.baseUrl}/v1/query?website_id=${website.websiteId}`;
    const answer = await raw(query, headers, { verb: "POST", body: { parameters: ["top_pages"] } });
    expect(answer.headers["content-encoding"]).toBe(encoding === "identity" ? undefined : encoding);
    expect(answer.headers).toMatchObject({ vary: "Accept-Encoding", "transfer-encoding": "chunked" });
    expect((unpacked(answer) as { text: string }).text.length).toBe(longCharacters);
    const isSmall = answer.bytes.length < longCharacters / 100;
    expect(isSmall).toBe(encoding !== "identity");
  },
);

test("a compressed answer arrives over HTTP/2", async () => {
  const session = connect(baseUrl);
  try {
    const stream = session.request({ ":path": types, "accept-encoding": "br" });
    const [headers] = await once(stream, "response");
    expect(headers["content-encoding"]).toBe("br");
    expect(JSON.parse(brotliDecompressSync(await buffer(stream)).toString())).toMatchObject({ success: true });
  } finally {
    session.close();
  }
});

test("RFC 9110 section 13.1.2: whoever has the document in this encoding gets 304 without it", async () => {
  const tags = new Set<string>();
  for (const encoding of ["gzip", "br", "identity"]) {
    const accepted = { "accept-encoding": encoding };
    const { headers } = await raw(`${baseUrl}/openapi.json`, accepted);
    const etag = headers.etag ?? "";
    tags.add(etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await raw(`${baseUrl}/openapi.json`, { ...accepted, "if-none-match": known });
      expect(again).toMatchObject({ status: 304, headers: { etag, vary: "Accept-Encoding" } });
      expect(again.headers["content-encoding"]).toBeUndefined();
      expect(again.bytes.length).toBe(0);
    }
    expect((await raw(`${baseUrl}/openapi.json`, { ...accepted, "if-none-match": '"other"' })).status).toBe(200);
  }
  expect(tags.size).toBe(3);
});
