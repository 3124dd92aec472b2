import { createClientOf, type Lookout, type LookoutOptions } from "./createLookout.ts";
import { type FetchProtocol, fetchTransport } from "./fetchTransport.ts";

export type { CallOptions } from "@connectrpc/connect";
export type { Lookout } from "./createLookout.ts";
export type { EventQueue, EventQueueOptions, TrackedEvent } from "./eventQueue.ts";
export { LookoutError, type LookoutErrorCode, type LookoutErrorDetail } from "./lookoutError.ts";
export type * from "./query.ts";
export type * from "./rows.ts";
export * from "./valueSets.ts";

export type BrowserLookoutOptions = LookoutOptions & {
  /** How to talk to the service. The default is connect. */
  readonly protocol?: FetchProtocol;
};

/** Makes a client. Pages send events with the tracker; a key in a page is everybody's. */
export function createLookout(options: BrowserLookoutOptions): Lookout {
  const { baseUrl, protocol = "connect" } = options;
  return createClientOf(options, (interceptors) => ({
    transport: fetchTransport(baseUrl, protocol, interceptors),
  }));
}
