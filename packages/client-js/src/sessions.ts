import type { ClientHttp2Stream, Http2Session } from "node:http2";
import { Http2SessionManager } from "@connectrpc/connect-node";

/**
 * The HTTP/2 connections of gRPC. A server that does not speak HTTP/2 makes a session fail twice, and Connect (2.2.0) has
 * stopped listening by the second time: without a listener that would end the process.
 */
export class Sessions extends Http2SessionManager {
  readonly #known = new WeakSet<Http2Session>();

  override async request(...call: Parameters<Http2SessionManager["request"]>): Promise<ClientHttp2Stream> {
    const stream = await super.request(...call);
    const { session } = stream;
    if (session !== undefined && !this.#known.has(session)) {
      this.#known.add(session);
      // Calls get the error from their streams.
      session.on("error", () => undefined);
    }
    return stream;
  }
}
