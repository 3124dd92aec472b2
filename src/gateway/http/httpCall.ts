import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallContext, SharedReading } from "../../call/callContext.ts";
import type { Caller } from "../../call/caller.ts";
import { createRequestId } from "./requestId.ts";

/** HTTP/2 requests and answers have the same form (node:http2, compatibility API). */
export type HttpRequest = IncomingMessage;
export type HttpResponse = ServerResponse;

/** The context of a call on a JSON path. Costly members are computed on first use: most calls need none of them. */
export class HttpCall<App> implements CallContext<App> {
  readonly app: App;
  readonly requestId = createRequestId();
  readonly isBinary = false;
  readonly isNativeGrpc = false;
  /** Headers that the handler adds to the answer. */
  responseHeaders: Record<string, string> | undefined;
  caller: Caller | undefined;
  shared: SharedReading | undefined;
  /** Whether the calling page may use cookies. */
  allowsCookies = false;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  #abort: AbortController | undefined;

  constructor(app: App, request: HttpRequest, response: HttpResponse) {
    this.app = app;
    this.request = request;
    this.response = response;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      this.#abort = abort;
      const response = this.response;
      const onClose = (): void => {
        // HTTP/2 also sets writableFinished on a stream that was reset.
        if (!response.writableEnded) abort.abort();
      };
      if (response.destroyed) onClose();
      else response.once("close", onClose);
    }
    return this.#abort.signal;
  }

  /** Aborts the call: its answer is no longer needed. */
  stop(): void {
    void this.signal;
    this.#abort?.abort();
  }

  get host(): string | undefined {
    return hostOf(this.request);
  }

  get isHead(): boolean {
    return this.request.method === "HEAD";
  }

  get verb(): string {
    return this.request.method ?? "";
  }

  get query(): string {
    const url = this.request.url ?? "";
    const mark = url.indexOf("?");
    return mark < 0 ? "" : url.slice(mark + 1);
  }

  get peerAddress(): string | undefined {
    return this.request.socket.remoteAddress;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  setHeader(name: string, value: string): void {
    this.responseHeaders ??= {};
    this.responseHeaders[name] = value;
  }
}

/** The host in a request: HTTP/2 has :authority, and Host only from some clients (RFC 9113, section 8.3.1). */
export function hostOf({ headers }: Pick<HttpRequest, "headers">): string | undefined {
  const host = headers.host ?? headers[":authority"];
  return typeof host === "string" ? host : undefined;
}
