import { createClientOf, type Lookout, type LookoutOptions } from "./createLookout.ts";
import { type Fetch, type FetchProtocol, fetchTransport } from "./fetchTransport.ts";

export type { Interceptor } from "@connectrpc/connect";
export type { CallHeaders, CallOptions } from "./callOptions.ts";
export type { Lookout, LookoutOptions } from "./createLookout.ts";
export { each, eachRow } from "./each.ts";
export type { EventQueue, EventQueueOptions, TrackedEvent } from "./eventQueue.ts";
export type { Fetch, FetchProtocol } from "./fetchTransport.ts";
export * from "./filterFields.ts";
export type { FilterValue, JsonInput, JsonObjectInput } from "./jsonInput.ts";
export type { WatchOptions } from "./liveQuery.ts";
export { LookoutError, type LookoutErrorCode, type LookoutErrorDetail } from "./lookoutError.ts";
export type * from "./query.ts";
export type * from "./requests.ts";
export { type LookoutResponse, responseOf } from "./responseOf.ts";
export type { RetryOptions } from "./retry.ts";
export type * from "./rows.ts";
export type { TextTime } from "./textTimes.ts";
export * from "./valueSets.ts";
export { type FinishedExport, type WaitForExportOptions, waitForExport } from "./waitForExport.ts";

export type BrowserLookoutOptions = LookoutOptions & {
  /** How to talk to the service. The default is connect. */
  readonly protocol?: FetchProtocol | undefined;
  /** Makes the requests instead of the platform's fetch. */
  readonly fetch?: Fetch | undefined;
};

/**
 * Makes a client. Pages send events with the tracker; a key in a page is everybody's. Throws a LookoutError (VALIDATION_ERROR) for a baseUrl
 * that is no address and an apiKey that no header takes.
 */
export function createLookout(options: BrowserLookoutOptions): Lookout {
  const { protocol = "connect", fetch } = options;
  return createClientOf(
    options,
    (baseUrl, interceptors) => ({
      transport: fetchTransport(baseUrl, protocol, interceptors, fetch),
    }),
    ["protocol", "fetch"],
    "createLookout in browsers (for Node, import @lookout/client/node)",
  );
}
