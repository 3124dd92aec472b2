import { createClientOf, type Lookout, type LookoutOptions } from "./createLookout.ts";
import { type Fetch, type FetchProtocol, fetchTransport } from "./fetchTransport.ts";
import { ignoredProxy, requireGrpcOptions } from "./grpcProxy.ts";
import { type Http1Agent, type Http2Options, http1Transport, http2Connection } from "./nodeTransports.ts";

export type { Interceptor } from "@connectrpc/connect";
export type { CallHeaders, CallOptions } from "./callOptions.ts";
export type { Lookout, LookoutOptions } from "./createLookout.ts";
export { type DownloadExportOptions, downloadExport } from "./downloadExport.ts";
export { each, eachRow } from "./each.ts";
export type { EventQueue, EventQueueOptions, TrackedEvent } from "./eventQueue.ts";
export type { Fetch, FetchProtocol } from "./fetchTransport.ts";
export * from "./filterFields.ts";
export type { FilterValue, JsonInput, JsonObjectInput } from "./jsonInput.ts";
export type { WatchOptions } from "./liveQuery.ts";
export { LookoutError, type LookoutErrorCode, type LookoutErrorDetail } from "./lookoutError.ts";
export type { Http1Agent, Http2Options } from "./nodeTransports.ts";
export type * from "./query.ts";
export type * from "./requests.ts";
export { type LookoutResponse, responseOf } from "./responseOf.ts";
export type { RetryOptions } from "./retry.ts";
export type * from "./rows.ts";
export type { TextTime } from "./textTimes.ts";
export * from "./valueSets.ts";
export { type FinishedExport, type WaitForExportOptions, waitForExport } from "./waitForExport.ts";

export type NodeLookoutOptions = LookoutOptions & {
  /** How to talk to the service. The default is connect. grpc takes no proxy, and `http2` instead of `agent` and `fetch`. */
  readonly protocol?: FetchProtocol | "grpc" | undefined;
  /** Makes the requests of connect and grpc-web instead of the platform's fetch. */
  readonly fetch?: Fetch | undefined;
  /** Makes the connections of connect and grpc-web instead: for a proxy, a certificate authority or a Unix socket of your own. */
  readonly agent?: Http1Agent | undefined;
  /** Options of the connections of grpc, such as `ca`. */
  readonly http2?: Http2Options | undefined;
  /**
   * How often a connection of grpc with running calls is checked by a ping of HTTP/2, ms, so that one that died without a word is noticed.
   * The default is 30 s.
   */
  readonly pingIntervalMs?: number | undefined;
};

const ownOptions = ["protocol", "fetch", "agent", "http2", "pingIntervalMs"] satisfies (keyof NodeLookoutOptions)[];

/**
 * Makes a client. Events that wait when the process has nothing else to do are sent before it ends; before
 * process.exit(), and when a signal ends the process, call close(). Throws a LookoutError (VALIDATION_ERROR) for a baseUrl that is no
 * address and an apiKey that no header takes.
 */
export function createLookout(options: NodeLookoutOptions): Lookout {
  const { protocol = "connect", fetch, agent, http2, pingIntervalMs } = options;
  const lookout = createClientOf(
    options,
    (baseUrl, interceptors) => {
      if (protocol === "grpc") {
        requireGrpcOptions(options);
        const proxy = ignoredProxy(baseUrl, process.env);
        if (proxy !== undefined)
          process.emitWarning(
            `[lookout] grpc goes to ${baseUrl} directly, not through ${proxy}. For that, use connect or grpc-web`,
          );
        return http2Connection(baseUrl, interceptors, http2, pingIntervalMs);
      }
      if (agent !== undefined) return { transport: http1Transport(baseUrl, protocol, interceptors, agent) };
      return { transport: fetchTransport(baseUrl, protocol, interceptors, fetch) };
    },
    ownOptions,
  );
  // Calls that another listener makes at the end still go through.
  const atEnd = () => void lookout.events.close();
  process.once("beforeExit", atEnd);
  const close = async () => {
    process.off("beforeExit", atEnd);
    await lookout.close();
  };
  return { ...lookout, close, [Symbol.asyncDispose]: close };
}
