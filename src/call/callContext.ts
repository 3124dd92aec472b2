import type { JsonObject } from "@bufbuild/protobuf";
import type { Caller } from "./caller.ts";

/** What the reader of a shared dashboard may ask: query types of one website, always with these filters. */
export type SharedReading = {
  readonly websiteId: string;
  readonly types: readonly string[];
  /** In the JSON form of QueryFilter. */
  readonly filters: readonly JsonObject[];
};

/**
 * What a handler knows about its call besides the request message, the same over JSON and gRPC. `App` lists what the
 * handler uses of the process; src/main/compose.ts makes all of it.
 */
export type CallContext<App = unknown> = {
  /** Stores and settings of this process. */
  readonly app: App;
  /** Identifies the request in the answer, its X-Request-Id header and the log. */
  readonly requestId: string;
  /** The caller; undefined for open RPCs, and without credentials in calls that public websites answer. */
  caller: Caller | undefined;
  /** The shared dashboard whose reader calls; then there is no caller. */
  shared?: SharedReading | undefined;
  /** Aborted when the client disconnects or its deadline passes. */
  readonly signal: AbortSignal;
  /** The host in the request (Host, or :authority over HTTP/2). */
  readonly host: string | undefined;
  /** Whether the call was dispatched as gRPC itself, not gRPC-Web, Connect or JSON, whatever its headers claim. */
  readonly isNativeGrpc: boolean;
  /** The address of the connection's peer. Only for a geographic look-up: never stored, never logged. */
  readonly peerAddress: string | undefined;
  /** Whether the answer is sent in the binary form of its message, and not as JSON. */
  readonly isBinary: boolean;
  /**
   * Whether only the headers of the answer are requested (HEAD, RFC 9110, section 9.3.2): nothing may be counted then.
   */
  readonly isHead: boolean;
  /** The HTTP method; methods other than GET and HEAD may change something. */
  readonly verb: string;
  /** The query string of the request as it came, without its question mark; empty over gRPC. */
  readonly query: string;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  /** Adds a header to the answer. */
  setHeader(name: string, value: string): void;
};
