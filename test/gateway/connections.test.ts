import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectHttp2, constants } from "node:http2";
import { get } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, expect, inject, test } from "vitest";
import type { ImplementedHandlers } from "../../src/gateway/procedure.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { handlers } from "../../src/main/handlers.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";

const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), "lookout-tls-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Handlers that answer on command. */
function gated(): { handlers: ImplementedHandlers; entered: Promise<void>; open(): void } {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  return {
    entered: entered.promise,
    open: () => gate.resolve(),
    handlers: {
      "lookout.v1.QueryService": {
        listQueryTypes: async () => {
          entered.resolve();
          await gate.promise;
          return { success: true, requestId: "r", types: ["late"], configs: {}, presets: [] };
        },
      },
    },
  };
}

test.each(["HTTP/1.1", "gRPC"])(
  "a stop finishes accepted requests over %s and accepts no new ones",
  async (protocol) => {
    const { handlers, entered, open } = gated();
    const server = await startOwnServer(handlers);
    const answer =
      protocol === "gRPC"
        ? createClient(QueryService, createGrpcTransport({ baseUrl: server.baseUrl })).listQueryTypes({})
        : fetch(`${server.baseUrl}/v1/query/types`).then((response) => response.json());
    await entered;
    const closed = server.close();
    await expect(fetch(`${server.baseUrl}/healthz`)).rejects.toThrow();
    open();
    expect(await answer).toMatchObject({ types: ["late"] });
    await closed;
  },
);

test("a stop does not wait for idle and half-open connections", async () => {
  const server = await startOwnServer({}, { SHUTDOWN_TIMEOUT_MS: "200" });
  const silent = ended(await open(server, ""));
  const half = ended(await open(server, "POST /batch HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc"));
  await (await fetch(`${server.baseUrl}/healthz`)).text();
  await server.close();
  await Promise.all([silent, half]);
});

const impatient = { server: { headersTimeoutMs: 300, requestTimeoutMs: 300 } };

test("limits: a client slow with its headers is answered 408 and closed", async () => {
  const server = await startOwnServer({}, {}, impatient);
  expect(await ended(await open(server, "GET /healthz HTTP/1.1\r\nhost: x\r\n"))).toContain("HTTP/1.1 408");
  expect(await ended(await open(server, ""))).toBe("");
  await server.close();
});

test("limits: a client slow with its body is closed over HTTP/1.1 and answered 408 over HTTP/2", async () => {
  const server = await startOwnServer({ "lookout.v1.IngestService": { batch: () => ({}) } }, {}, impatient);
  const text = await ended(
    await open(
      server,
      "POST /batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n[1",
    ),
  );
  expect(text).toContain("HTTP/1.1 408");
  const session = connectHttp2(server.baseUrl);
  const stream = session.request({ ":method": "POST", ":path": "/batch" });
  stream.write("[1");
  const status = await new Promise((resolve) => stream.on("response", (headers) => resolve(headers[":status"])));
  expect(status).toBe(408);
  session.destroy();
  await server.close();
});

test("limits: an HTTP/2 connection without a request is closed, from its first byte on", async () => {
  const server = await startOwnServer({}, {}, { server: { headersTimeoutMs: 300 } });
  const settings = "\0\0\0\x04\0\0\0\0\0";
  // A header block that is never completed: HEADERS of stream 1 without END_HEADERS.
  const halfHeaders = "\0\0\x01\x01\0\0\0\0\x01\x82";
  const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  for (const text of ["P", "PRI", preface, preface + settings, preface + settings + halfHeaders])
    await ended(await open(server, text));
  await server.close();
});

test("limits: an HTTP/2 request that is never complete is cancelled, over gRPC too", async () => {
  const server = await startOwnServer(handlers, {}, impatient);
  const session = connectHttp2(server.baseUrl);
  for (const path of ["/lookout.v1.IngestService/Batch", "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"]) {
    const stream = session.request({ ":method": "POST", ":path": path, "content-type": "application/grpc" });
    stream.on("error", () => undefined);
    stream.write(Buffer.from([0, 0, 0, 0, 9, 1, 2]));
    stream.resume();
    await new Promise((resolve) => stream.on("close", resolve));
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
  }
  session.destroy();
  await server.close();
});

test("limits: an idle HTTP/2 connection is closed, even if it pings", async () => {
  const server = await startOwnServer({}, {}, { server: { keepAliveTimeoutMs: 300 } });
  const session = connectHttp2(server.baseUrl);
  session.on("error", () => undefined);
  const stream = session.request({ ":path": "/healthz" });
  expect(await new Promise((resolve) => stream.on("response", (headers) => resolve(headers[":status"])))).toBe(200);
  stream.resume();
  const pings = setInterval(() => session.closed || session.destroyed || session.ping(() => undefined), 50);
  await new Promise((resolve) => session.on("close", resolve));
  clearInterval(pings);
  await server.close();
});

test("limits: a gRPC message over 1 MiB is RESOURCE_EXHAUSTED", async () => {
  const transport = createGrpcTransport({ baseUrl: inject("lookout").baseUrl });
  const query = { parameters: [{ name: "x".repeat(1_100_000) }] };
  await expect(createClient(QueryService, transport).query({ query })).rejects.toThrow(/resource_exhausted/);
});

test("with a key and a certificate the port speaks TLS: HTTP/1.1, HTTP/2 and gRPC by ALPN", async () => {
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, ...subject],
    {
      stdio: "ignore",
    },
  );
  const server = await startOwnServer({}, { TLS_KEY: key, TLS_CERT: certificate });
  const overHttp1 = await new Promise((resolve, reject) => {
    get(`${server.baseUrl}/healthz`, { rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(`${response.httpVersion} ${response.statusCode}`);
    }).on("error", reject);
  });
  expect(overHttp1).toBe("1.1 200");
  const session = connectHttp2(server.baseUrl, { rejectUnauthorized: false });
  const stream = session.request({ ":path": "/healthz" });
  expect(await new Promise((resolve) => stream.on("response", (headers) => resolve(headers[":status"])))).toBe(200);
  session.destroy();
  const { stdout } = await run(inject("lookout").grpcurlPath, ["-insecure", new URL(server.baseUrl).host, "list"]);
  expect(stdout).toContain("lookout.v1.IngestService");
  await server.close();
});

function open(server: OwnServer, text: string): Promise<ReturnType<typeof connect>> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(text);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}

function ended(socket: ReturnType<typeof connect>): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("close", () => resolve(text));
  });
}
