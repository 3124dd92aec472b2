import { constants, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "../../packages/client-js/src/gen/google/rpc/error_details_pb.ts";
import { createLookout, LookoutError, type NodeLookoutOptions } from "../../packages/client-js/src/node.ts";

/** That of the client without `timeoutMs`: a call that ends before had its own. */
const usualTimeoutMs = 35_000;

const servers: { server: Server; sockets: Set<Socket> }[] = [];

afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A TCP server on a free port. `answer` gets each connection once the client has sent something, and how many came before. */
async function listen(answer: (socket: Socket, connections: number) => void) {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      // A fetch sends one request at a time; of HTTP/2 only the beginning of the connection counts.
      if (/^(POST|PRI)/.test(data.toString("latin1"))) answer(socket, requests++);
    });
  });
  servers.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, requests: () => requests };
}

const protocols = ["connect", "grpc-web", "grpc"] as const;

/** What a query throws, and how long it took. */
async function failure(options: NodeLookoutOptions) {
  const lookout = createLookout({ apiKey: "key", websiteId: "w", retry: { firstWaitMs: 10 }, ...options });
  const startMs = performance.now();
  const error = await lookout.query({ preset: "today", parameters: ["top_pages"] }).catch((thrown: unknown) => thrown);
  if (!(error instanceof LookoutError)) throw new Error(`no LookoutError: ${error}`);
  await lookout.close();
  return { error, ms: performance.now() - startMs };
}

describe.each(protocols)("over %s", (protocol) => {
  test("nothing listens at the address", async () => {
    const { error } = await failure({ baseUrl: "http://127.0.0.1:9", protocol });
    expect(error).toMatchObject({ code: "UNREACHABLE", requestId: undefined, details: [] });
    expect(error.message).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:9 .*Check baseUrl/);
  });

  test("there is no such host", async () => {
    const { error } = await failure({ baseUrl: "http://lookout.invalid", protocol });
    expect(error.code).toBe("UNREACHABLE");
  });

  test("another server answers", async () => {
    const page = "<html>no</html>";
    const { baseUrl } = await listen((socket) =>
      socket.end(`HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`),
    );
    const { error } = await failure({ baseUrl, protocol });
    expect(error.code).toBe("BAD_ANSWER");
    expect(error.message).toContain("Check baseUrl");
  });

  test("the answer breaks off", async () => {
    const { baseUrl, requests } = await listen((socket) => {
      const type = protocol === "connect" ? "application/json" : "application/grpc-web+proto";
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: 1000\r\n\r\n{"single":`);
      setTimeout(() => socket.destroy(), 20);
    });
    const { error } = await failure({ baseUrl, protocol });
    expect(error.code).toBe("BAD_ANSWER");
    // A query changes nothing, so it is tried again.
    expect(requests()).toBe(3);
  });

  test("no answer comes: the call ends with its timeout", async () => {
    const { baseUrl } = await listen(() => undefined);
    const { error, ms } = await failure({ baseUrl, protocol, timeoutMs: 300 });
    expect(error.code).toBe("TIMEOUT");
    expect(ms).toBeLessThan(usualTimeoutMs);
  });

  test("the answer begins and does not go on: the call ends with its timeout", async () => {
    const { baseUrl } = await listen((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{");
    });
    const { error, ms } = await failure({ baseUrl, protocol, timeoutMs: 300 });
    // gRPC sees at once that this is no HTTP/2, unless the machine is so busy that the time is over before.
    expect(protocol === "grpc" ? ["BAD_ANSWER", "TIMEOUT"] : ["TIMEOUT"]).toContain(error.code);
    expect(ms).toBeLessThan(usualTimeoutMs);
  });

  test("a watch ends with the timeout when nothing comes", async () => {
    const { baseUrl } = await listen(() => undefined);
    const lookout = createLookout({ baseUrl, protocol, websiteId: "w", timeoutMs: 300 });
    const first = lookout.watch({ preset: "today", parameters: ["top_pages"] }).next();
    await expect(first).rejects.toMatchObject({ name: "LookoutError", code: "TIMEOUT" });
    await lookout.close();
  });
});

test.each(["ends without a status", "is reset"])("a gRPC answer that %s", async (how) => {
  const server = createHttp2Server();
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    stream.respond({ ":status": 200, "content-type": "application/grpc+proto" });
    stream.write(Buffer.from([0, 0, 0, 3, 232, 10]));
    if (how === "is reset") stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    else stream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { error } = await failure({ baseUrl: `http://127.0.0.1:${port}`, protocol: "grpc" });
  expect(error.code).toBe("BAD_ANSWER");
  await new Promise((resolve) => server.close(resolve));
});

test("a call that changes something is not repeated", async () => {
  const { baseUrl, requests } = await listen((socket) => socket.destroy());
  const lookout = createLookout({ baseUrl, retry: { firstWaitMs: 10 } });
  await expect(lookout.uptime.checkNow({ id: "m" })).rejects.toThrow(LookoutError);
  expect(requests()).toBe(1);
  await lookout.close();
});

test("the caller's own signal cancels", async () => {
  const { baseUrl } = await listen(() => undefined);
  const lookout = createLookout({ baseUrl, websiteId: "w" });
  const call = lookout.query({ preset: "today", parameters: ["top_pages"] }, { signal: AbortSignal.timeout(50) });
  await expect(call).rejects.toBeInstanceOf(LookoutError);
  await lookout.close();
});

test("events wait while the service is away, and are sent when it is back", async () => {
  const results = `{"status":"success","results":[{"status":"success"}]}`;
  const { baseUrl, requests } = await listen((socket, before) => {
    if (before < 2) socket.destroy();
    else
      socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${results.length}\r\n\r\n${results}`,
      );
  });
  const dropped: unknown[] = [];
  const lookout = createLookout({
    baseUrl,
    websiteId: "w",
    events: { flushIntervalMs: 10, onDropped: (events) => dropped.push(...events) },
  });
  lookout.events.track({ name: "signup" });
  await expect.poll(() => lookout.events.size).toBe(0);
  expect(requests()).toBe(3);
  expect(dropped).toEqual([]);
  await lookout.close();
});

describe("events through a failure stay in the queue, and flush ends in time with a typed error", () => {
  const reason = toBinary(ErrorInfoSchema, create(ErrorInfoSchema, { reason: "INVALID_API_KEY" }));
  const refusal = JSON.stringify({
    code: "unauthenticated",
    message: "There is no such API key",
    details: [{ type: "google.rpc.ErrorInfo", value: Buffer.from(reason).toString("base64") }],
  });
  const answers: Readonly<Record<string, (socket: Socket) => void>> = {
    "another server": (socket) =>
      socket.end("HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>"),
    "a truncated answer": (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{");
      setTimeout(() => socket.destroy(), 5);
    },
    "no answer": () => undefined,
    "a wrong key": (socket) =>
      socket.end(
        `HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: ${refusal.length}\r\n\r\n${refusal}`,
      ),
  };

  test.each([
    ["a wrong address", "TIMEOUT", /Nothing answers at http:\/\/127\.0\.0\.1:9 .*Check baseUrl/],
    ["another server", "BAD_ANSWER", /is not one of Lookout.*Check baseUrl/],
    ["a truncated answer", "TIMEOUT", /1 events are not sent.*was lost before the answer was complete/],
    ["no answer", "TIMEOUT", /1 events are not sent after 2000 ms/],
    ["a wrong key", "INVALID_API_KEY", /There is no such API key.*Check the apiKey/],
  ])("%s", async (what, code, message) => {
    const answer = answers[what];
    const { baseUrl } = answer === undefined ? { baseUrl: "http://127.0.0.1:9" } : await listen(answer);
    const dropped: unknown[] = [];
    const lookout = createLookout({
      ...{ baseUrl, apiKey: "key", websiteId: "w", timeoutMs: 200 },
      events: { onDropped: (events) => dropped.push(...events), onBlocked: () => undefined, closeTimeoutMs: 50 },
    });
    lookout.events.track({ name: "signup" });
    const error = await lookout.events.flush(2_000).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LookoutError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect([lookout.events.size, dropped]).toEqual([1, []]);
    await lookout.close();
    await expect.poll(() => dropped).toMatchObject([{ name: "signup" }]);
  });
});
