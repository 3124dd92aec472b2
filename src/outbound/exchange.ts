import { request as requestHttp1 } from "node:http";
import { connect as connectHttp2, constants } from "node:http2";
import type { Readable } from "node:stream";
import type { Connection, Phase } from "./connection.ts";

export type ExchangeRequest = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Reading stops there. */
  readonly maxBodyBytes: number;
  readonly signal: AbortSignal;
  readonly onPhase: (phase: Phase) => void;
  /** Called when the first byte of the answer has arrived. */
  readonly onStatus: (status: number) => void;
};

/** An answer. `body` is as received, still encoded; `isCut` when it was longer than the limit. */
export type Exchange = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly isCut: boolean;
};

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
    });
    sent.once("error", reject);
    sent.once("response", (answer) => {
      const status = answer.statusCode ?? 0;
      request.onStatus(status);
      request.onPhase("reading the answer");
      readBody(answer, request.maxBodyBytes).then(
        (read) => resolve({ status, headers: answer.headers, ...read }),
        reject,
      );
    });
    sent.end(body);
  });
}

function overHttp2({ socket }: Connection, request: ExchangeRequest): Promise<Exchange> {
  const { url, method, headers, body } = request;
  return new Promise((resolve, reject) => {
    const session = connectHttp2(url.origin, { createConnection: () => socket });
    session.once("error", reject);
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: method,
      [constants.HTTP2_HEADER_PATH]: `${url.pathname}${url.search}`,
      [constants.HTTP2_HEADER_SCHEME]: url.protocol.slice(0, -1),
      [constants.HTTP2_HEADER_AUTHORITY]: headers["host"] ?? url.host,
      ...withoutHost(headers),
    });
    stream.once("error", reject);
    stream.once("close", () => reject(new Error("the connection was closed before an answer came")));
    stream.once("response", (answer) => {
      const status = Number(answer[constants.HTTP2_HEADER_STATUS] ?? 0);
      request.onStatus(status);
      request.onPhase("reading the answer");
      readBody(stream, request.maxBodyBytes).then((read) => {
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

async function readBody(stream: Readable, maxBytes: number): Promise<Pick<Exchange, "body" | "isCut">> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    const bytes: Buffer = part;
    parts.push(bytes);
    length += bytes.length;
    if (length > maxBytes) return { body: Buffer.concat(parts).subarray(0, maxBytes), isCut: true };
  }
  return { body: Buffer.concat(parts), isCut: false };
}
