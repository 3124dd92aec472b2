import { createGrpcTransport } from "@connectrpc/connect-node";
import { createClientOf, type Lookout, type LookoutOptions } from "./createLookout.ts";
import { type FetchProtocol, fetchTransport } from "./fetchTransport.ts";
import { Sessions } from "./sessions.ts";

export type { CallOptions } from "@connectrpc/connect";
export type { Lookout } from "./createLookout.ts";
export type { EventQueue, EventQueueOptions, TrackedEvent } from "./eventQueue.ts";
export { LookoutError, type LookoutErrorCode, type LookoutErrorDetail } from "./lookoutError.ts";
export type * from "./query.ts";
export type * from "./rows.ts";
export * from "./valueSets.ts";

export type NodeLookoutOptions = LookoutOptions & {
  /** How to talk to the service. The default is connect. */
  readonly protocol?: FetchProtocol | "grpc";
};

/**
 * Makes a client. Events that wait when the process has nothing else to do are sent before it ends; before
 * process.exit(), and when a signal ends the process, call close().
 */
export function createLookout(options: NodeLookoutOptions): Lookout {
  const { baseUrl, protocol = "connect" } = options;
  const lookout = createClientOf(options, (interceptors) => {
    if (protocol === "grpc") {
      const sessionManager = new Sessions(baseUrl);
      return {
        transport: createGrpcTransport({ baseUrl, interceptors, sessionManager }),
        close: () => sessionManager.abort(),
      };
    }
    return { transport: fetchTransport(baseUrl, protocol, interceptors) };
  });
  const end = () => void lookout.close();
  process.once("beforeExit", end);
  return {
    ...lookout,
    async close() {
      process.off("beforeExit", end);
      await lookout.close();
    },
  };
}
