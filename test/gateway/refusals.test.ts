import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, inject, test } from "vitest";
import { send } from "../kit/calls/request.ts";

const { baseUrl } = inject("lookout");
const requestId = expect.stringMatching(/^req_/);

/** A server's answer to bytes on a new connection, until it closes it or the answer is complete. */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (data) => {
    answer += data.toString();
    if (/\r\n\r\n[\s\S]*\}$/.test(answer)) socket.destroy();
  });
  socket.write(text);
  await once(socket, "close");
  return answer;
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
}

const path = "/lookout.v1.QueryService/Query";

test.each([
  ["a malformed message", "application/proto", "\u0001\u0002\u0003", {}],
  ["malformed JSON", "application/json", "{", {}],
  ["a member that is not known", "application/json", '{"websiteId":"w","websiteid":"w"}', {}],
  ["a body that is not gzip", "application/json", "{}", { "content-encoding": "gzip" }],
  ["a message that is malformed within gzip", "application/proto", gzipSync("\u0001\u0002").toString("latin1"), {}],
])("7: over Connect %s is a client error, with a request id", async (_name, contentType, body, headers) => {
  const answer = await send("POST", path, { body, headers: { "content-type": contentType, ...headers } });
  expect(answer).toMatchObject({ status: 400, body: { code: "invalid_argument", message: expect.any(String) } });
  const id = answer.headers.get("x-request-id");
  expect(id).toEqual(requestId);
  const { details } = answer.body as { details: { type: string; value: string }[] };
  expect(details.map(({ type }) => type)).toEqual(["google.rpc.ErrorInfo", "google.rpc.RequestInfo"]);
  expect(Buffer.from(details[1]?.value ?? "", "base64").toString()).toContain(id);
});

test.each([
  ["an RPC that does not exist", "/lookout.v1.QueryService/Nothing", "POST", "application/json", 404],
  ["a service that does not exist", "/lookout.v1.Nothing/Query", "POST", "application/grpc", 404],
  ["another content type", path, "POST", "text/plain", 415],
  ["another verb", path, "PUT", "application/json", 405],
])("7: %s is refused in the common form", async (_name, where, verb, contentType, status) => {
  const answer = await send(verb, where, { body: "{}", headers: { "content-type": contentType } });
  expect(answer).toMatchObject({ status, body: { success: false, error: expect.any(String), requestId } });
});

test("7: a malformed message over gRPC is an invalid argument, with a request id", async () => {
  const session = connectHttp2(baseUrl);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  const trailers = once(stream, "trailers");
  const headers = once(stream, "response");
  stream.resume();
  stream.end(Buffer.from([0, 0, 0, 0, 3, 1, 2, 3]));
  expect((await headers)[0]["x-request-id"]).toEqual(requestId);
  expect((await trailers)[0]).toMatchObject({ "grpc-status": "3", "grpc-status-details-bin": expect.any(String) });
  session.destroy();
});

test("7: an RPC without a usable host is refused, and the service keeps serving", async () => {
  const rest = "content-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
  for (const head of [`POST ${path} HTTP/1.1\r\nhost: a b[\r\n`, `POST ${path} HTTP/1.0\r\n`]) {
    const answer = await raw(head + rest);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(bodyOf(answer)).toMatchObject({ success: false, code: "VALIDATION_ERROR", requestId });
  }
  expect((await send("GET", "/healthz")).status).toBe(200);
});

test("7: an unknown Expect header is refused in the common form, over HTTP/2 too", async () => {
  const answer = await raw("GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: x\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1.1 417 /);
  expect(bodyOf(answer)).toMatchObject({ success: false, code: "VALIDATION_ERROR", requestId });
  const session = connectHttp2(baseUrl);
  const stream = session.request({ ":path": "/healthz", expect: "x" });
  stream.setEncoding("utf8");
  let text = "";
  stream.on("data", (part: string) => {
    text += part;
  });
  const [headers] = await once(stream, "response");
  await once(stream, "end");
  expect(headers[":status"]).toBe(417);
  expect(JSON.parse(text)).toMatchObject({ code: "VALIDATION_ERROR", requestId });
  session.destroy();
});

const manyMembers = `{${Array.from({ length: 40_001 }, (_, index) => `"k${index}":1`).join(",")}}`;
const limitText = "must have at most 40000 members, objects and lists in all; split it";

test("8 JSON with too many members is refused with the limit", async () => {
  const answer = await send("POST", "/track?website_id=none", {
    body: manyMembers,
    headers: { "content-type": "application/json" },
  });
  expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR", details: [{ message: limitText }] } });
});

test.each([
  ["plain", manyMembers, {}],
  ["within gzip", gzipSync(manyMembers), { "content-encoding": "gzip" }],
])("8 the same over Connect, %s", async (_name, body, headers) => {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: "invalid_argument", message: `The message ${limitText}` });
});
