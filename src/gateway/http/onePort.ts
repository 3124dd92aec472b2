import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type Server } from "node:http";
import {
  createServer as createHttp2Server,
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Config } from "../../config.ts";
import { StartFailure } from "../../errors/startFailure.ts";
import { answerClientError, answerExpectation } from "./clientError.ts";
import { closeInStages } from "./closeInStages.ts";
import { trackSessions } from "./http2Sessions.ts";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";

/** Handles requests of both protocols: node's HTTP/2 compatibility API gives them the members of HTTP/1 requests. */
export type RequestHandler = (request: HttpRequest, response: HttpResponse) => void;

/** A port that serves HTTP/1.1 and HTTP/2, and so JSON, gRPC, gRPC-Web and Connect. */
export type OnePort = {
  /** Resolves with the port once it listens; rejects when it cannot (in use, not allowed). */
  listen(): Promise<number>;
  /** Accepts no more connections and resolves when the requests in flight are answered, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
};

/** Concurrent HTTP/2 streams of one connection; the floods of CVE-2023-44487 need many more. */
const maxConcurrentStreams = 256;

/** How often unfinished requests are checked. With node's default of 30 s a limit of 10 s could last 40. */
const checkIntervalMs = 1_000;

export function createOnePort(settings: Config["server"], handle: RequestHandler): OnePort {
  const handler: RequestHandler = (request, response) => {
    closeInStages(request, settings.requestTimeoutMs);
    handle(request, response);
  };
  return settings.tlsKeyFile !== undefined && settings.tlsCertificateFile !== undefined
    ? createTlsPort(settings, settings.tlsKeyFile, settings.tlsCertificateFile, handler)
    : createCleartextPort(settings, handler);
}

type Http2Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

function compatible(handler: RequestHandler): Http2Handler {
  // The members in use are the same; only node's type declarations separate the two.
  return handler as unknown as Http2Handler;
}

function http1Options(settings: Config["server"]) {
  return {
    maxHeaderSize: settings.maxHeaderBytes,
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    connectionsCheckingInterval: checkIntervalMs,
  };
}

function http2Options(settings: Config["server"]) {
  return { settings: { maxConcurrentStreams, maxHeaderListSize: settings.maxHeaderBytes } };
}

/** With TLS the handshake negotiates HTTP/2 or HTTP/1.1 (ALPN, RFC 7301). */
function createTlsPort(
  settings: Config["server"],
  keyFile: string,
  certificateFile: string,
  handler: RequestHandler,
): OnePort {
  const files = { key: readPem("TLS_KEY", keyFile), cert: readPem("TLS_CERT", certificateFile) };
  const server = createTlsServer(
    {
      ...http1Options(settings),
      ...http2Options(settings),
      allowHTTP1: true,
      ...files,
      handshakeTimeout: settings.headersTimeoutMs,
    },
    handler,
  );
  server.on("clientError", answerClientError);
  server.on("checkExpectation", compatible(answerExpectation));
  const sessions = trackSessions(server, settings);
  return { listen: () => listenOn(server, settings), close: (timeoutMs) => closeAll([server], sessions, timeoutMs) };
}

function readPem(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartFailure(
      `${setting} (${path}) cannot be read: ${reasonOf(error)}. Set it to the path of a PEM file.`,
    );
  }
}

function createTlsServer(options: SecureServerOptions, handler: RequestHandler): Http2SecureServer {
  try {
    return createSecureServer(options, compatible(handler));
  } catch (error) {
    throw new StartFailure(
      `TLS_KEY and TLS_CERT are no key with its certificate: ${reasonOf(error)}. Set them to the paths of PEM files that belong together.`,
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Without TLS the first bytes show the protocol: HTTP/2 begins with "PRI" (RFC 9113, section 3.4), and no HTTP/1 method
 * does. The HTTP/1 server listens itself and hands over HTTP/2 connections: measured, a server that never listens does
 * not enforce its time limits.
 */
function createCleartextPort(settings: Config["server"], handler: RequestHandler): OnePort {
  // Most requests have no body (RFC 9112, section 6.3), and the events of a stream that ends at once take a fifth of
  // the time of a redirect.
  const http1 = createHttpServer({ ...http1Options(settings), optimizeEmptyRequests: true }, handler);
  const http2 = createHttp2Server(http2Options(settings), compatible(handler));
  http1.on("clientError", answerClientError);
  http1.on("checkExpectation", answerExpectation);
  http2.on("checkExpectation", compatible(answerExpectation));
  const sessions = trackSessions(http2, settings);
  const listeners = http1.listeners("connection");
  http1.removeAllListeners("connection");
  const undecided = new Set<Socket>();
  http1.on("connection", (socket: Socket) => {
    undecided.add(socket);
    const timer = setTimeout(() => socket.destroy(), settings.headersTimeoutMs);
    const onError = (): void => void socket.destroy();
    const settle = (): void => {
      clearTimeout(timer);
      undecided.delete(socket);
    };
    let seen: Buffer = Buffer.alloc(0);
    const look = (chunk: Buffer): void => {
      seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
      if (seen.length < preface.length && preface.startsWith(seen.toString("latin1"))) return;
      settle();
      socket.off("error", onError);
      socket.off("data", look);
      socket.pause();
      socket.unshift(seen);
      if (seen.subarray(0, preface.length).toString("latin1") === preface) {
        // HTTP/1 servers let clients close their half first; over HTTP/2 that would keep the session of a client that
        // is gone.
        socket.once("end", () => socket.destroy());
        http2.emit("connection", socket);
      } else for (const listener of listeners) listener.call(http1, socket);
      process.nextTick(() => socket.resume());
    };
    socket.on("error", onError);
    socket.once("close", settle);
    socket.on("data", look);
  });
  return {
    listen: () => listenOn(http1, settings),
    close: (timeoutMs) => {
      for (const socket of undecided) socket.destroy();
      return closeAll([http1], sessions, timeoutMs);
    },
  };
}

/** The start of every HTTP/2 connection, up to where it differs from all HTTP/1 methods. */
const preface = "PRI";

const sweepMs = 100;

function listenOn(server: Server | Http2SecureServer, settings: Config["server"]): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function closeAll(
  servers: readonly (Server | Http2SecureServer)[],
  sessions: Set<ServerHttp2Session>,
  timeoutMs: number,
): Promise<void> {
  const closed = Promise.all([
    ...servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    // GOAWAY: streams in progress are finished (RFC 9113, section 6.8).
    ...[...sessions].map((session) => new Promise<void>((resolve) => session.close(resolve))),
  ]);
  const timer = setTimeout(() => {
    for (const server of servers) if ("closeAllConnections" in server) server.closeAllConnections();
    for (const session of sessions) session.destroy();
  }, timeoutMs);
  // Connections become idle only after their last answer was sent.
  const sweep = setInterval(() => {
    for (const server of servers) if ("closeIdleConnections" in server) server.closeIdleConnections();
  }, sweepMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}
