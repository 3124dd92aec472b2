import { request as requestHttp1 } from "node:http";
import { connect as connectHttp2, constants } from "node:http2";
import type { Connection, Phase } from "./connection.ts";
import { type BodyLimits, readBody } from "./readBody.ts";

export type ExchangeRequest = BodyLimits & {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  readonly onPhase: (phase: Phase) => void;
  /** Called when the first byte of the answer has arrived. */
  readonly onStatus: (status: number) => void;
};

/** An answer. `body` is as received, still encoded; `isCut` when reading stopped before its end. */
export type Exchange = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly isCut: boolean;
};

/** The most that Chromium reads of an answer's headers. */
export const maxHeaderBytes = 262_144;
/** Node's limit for HTTP/1.1; for HTTP/2 its own is 128. */
const maxHeaders = 2_000;

/**
 * Sends one request on a fresh connection and reads the answer up to the limit. The connection is closed in any case.
 */
export async function exchange(connection: Connection, request: ExchangeRequest): Promise<Exchange> {
  const abort = () => connection.socket.destroy(request.signal.reason);
  request.signal.addEventListener("abort", abort, { once: true });
  try {
    request.signal.throwIfAborted();
    request.onPhase("waiting for the answer");
    return await (connection.protocol === "h2" ? overHttp2(connection, request) : overHttp1(connection, request));
  } finally {
    request.signal.removeEventListener("abort", abort);
    connection.socket.on("error", () => undefined);
    connection.socket.destroy();
  }
}

function overHttp1({ socket }: Connection, request: ExchangeRequest): Promise<Exchange> {
  const { url, method, headers, body } = request;
  return new Promise((resolve, reject) => {
    const sent = requestHttp1({
      createConnection: () => socket,
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { host: url.host, ...headers, connection: "close" },
      maxHeaderSize: maxHeaderBytes,
      // As lenient as browsers: lines that end in LF, chunks despite a Content-Length. Answers cannot be smuggled into
      // others, since a connection has only one.
      insecureHTTPParser: true,
    });
    let failure: Error | undefined;
    sent.on("error", (error) => {
      failure = error;
    });
    sent.once("error", reject);
    sent.once("response", (answer) => {
      sent.off("error", reject);
      const status = answer.statusCode ?? 0;
      request.onStatus(status);
      request.onPhase("reading the answer");
      // Bytes after a complete body fail the request, but not the reading of the body: browsers ignore them.
      readBody(answer, answer.headers, request).then(
        (read) => resolve({ status, headers: answer.headers, ...read }),
        () => reject(failure ?? new Error("the connection was closed before the answer was complete")),
      );
    });
    sent.end(body);
  });
}

function overHttp2({ socket }: Connection, request: ExchangeRequest): Promise<Exchange> {
  const { url, method, headers, body } = request;
  return new Promise((resolve, reject) => {
    const session = connectHttp2(url.origin, {
      createConnection: () => socket,
      maxHeaderListPairs: maxHeaders,
      settings: { maxHeaderListSize: maxHeaderBytes },
    });
    session.once("error", reject);
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: method,
      [constants.HTTP2_HEADER_PATH]: `${url.pathname}${url.search}`,
      [constants.HTTP2_HEADER_SCHEME]: url.protocol.slice(0, -1),
      [constants.HTTP2_HEADER_AUTHORITY]: headers["host"] ?? url.host,
      ...withoutHost(headers),
    });
    const closed = () => reject(new Error("the connection was closed before an answer came"));
    stream.on("error", reject).once("close", closed);
    stream.once("response", (answer) => {
      // Reading less than the whole body closes the stream.
      stream.off("close", closed);
      const status = Number(answer[constants.HTTP2_HEADER_STATUS] ?? 0);
      request.onStatus(status);
      request.onPhase("reading the answer");
      readBody(stream, answer, request).then((read) => {
        resolve({ status, headers: answer, ...read });
        session.destroy();
      }, reject);
    });
    stream.end(body);
  });
}

function withoutHost(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "host"));
}
