import {
  constants,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Config } from "../../config.ts";

type Timeouts = Pick<Config["server"], "headersTimeoutMs" | "requestTimeoutMs" | "keepAliveTimeoutMs">;

/** How long a client has to react to GOAWAY. */
const goodbyeMs = 1_000;

/**
 * The open HTTP/2 connections of a server. They get the time limits that node enforces for HTTP/1 only: the first
 * request must arrive within `headersTimeoutMs`, each request must be complete within `requestTimeoutMs`, and a
 * connection without requests ends after `keepAliveTimeoutMs`, with pings or not.
 */
export function trackSessions(server: Http2Server | Http2SecureServer, timeouts: Timeouts): Set<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.on("error", () => session.destroy());
    endWhenIdle(session, timeouts);
    session.on("stream", (stream) => limitRequest(stream, timeouts));
  });
  return sessions;
}

function endWhenIdle(session: ServerHttp2Session, { headersTimeoutMs, keepAliveTimeoutMs }: Timeouts): void {
  let open = 0;
  let timer = setTimeout(end, headersTimeoutMs);
  function end(): void {
    // GOAWAY first, so that no request in flight is lost (RFC 9113, section 6.8). session.close() would keep the socket
    // open as long as the client likes.
    session.goaway();
    timer = setTimeout(() => session.destroy(), goodbyeMs);
  }
  session.on("stream", (stream) => {
    open += 1;
    clearTimeout(timer);
    stream.once("close", () => {
      open -= 1;
      if (open === 0 && !session.destroyed) timer = setTimeout(end, keepAliveTimeoutMs);
    });
  });
  session.once("close", () => clearTimeout(timer));
}

/**
 * Ends a stream whose request is not complete in time. The JSON paths answer 408 before that; gRPC sees the stream
 * cancelled.
 */
function limitRequest(stream: ServerHttp2Stream, { requestTimeoutMs }: Timeouts): void {
  if (stream.endAfterHeaders) return;
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestTimeoutMs + goodbyeMs);
  const clear = (): void => clearTimeout(timer);
  stream.once("end", clear);
  stream.once("close", clear);
}
