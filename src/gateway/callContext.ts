import type { Caller } from "../access/caller.ts";
import type { App } from "../app.ts";

/** What a handler knows about its call besides the request message, the same over JSON and gRPC. */
export type CallContext = {
  /** Stores and settings of this process. */
  readonly app: App;
  /** Names the request in the answer, its X-Request-Id header and the log. */
  readonly requestId: string;
  /** Who calls; undefined where the RPC is open, or where no credentials were sent to a call that public websites answer. */
  caller: Caller | undefined;
  /** Aborted when the client goes away or its deadline passes. */
  readonly signal: AbortSignal;
  /** The host that the request names (Host, or :authority over HTTP/2). */
  readonly host: string | undefined;
  /** Whether the call was dispatched as gRPC itself, not gRPC-Web, Connect or JSON. What the headers claim does not count. */
  readonly isNativeGrpc: boolean;
  /** Address of the connection's peer. For a geographic look-up only: never stored, never logged. */
  readonly peerAddress: string | undefined;
  /** Whether the answer is sent in the binary form of its message, and not as JSON. */
  readonly isBinary: boolean;
  /** Whether only the headers of the answer are wanted (HEAD, RFC 9110, section 9.3.2), so that nothing is to be counted. */
  readonly isHead: boolean;
  /** The HTTP method; what is not GET or HEAD may change something. */
  readonly verb: string;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  /** Adds a header to the answer. */
  setHeader(name: string, value: string): void;
};
