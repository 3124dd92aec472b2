import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { unreachable } from "./toLookoutError.ts";

/** The protocols that `fetch` can speak. */
export type FetchProtocol = "connect" | "grpc-web";

/** A way to the service over `fetch`, which distinguishes an unreachable address from an answer that breaks off. */
export function fetchTransport(baseUrl: string, protocol: FetchProtocol, interceptors: Interceptor[]): Transport {
  const create = protocol === "connect" ? createConnectTransport : createGrpcWebTransport;
  return create({ baseUrl, interceptors, fetch: reportingFetch(baseUrl) });
}

/** `fetch`, except that a failure to reach the address can be distinguished from an answer that breaks off. */
function reportingFetch(baseUrl: string): typeof fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      const cause = unreachable(baseUrl, error);
      throw new ConnectError(cause.message, Code.Unavailable, undefined, undefined, cause);
    }
  };
}
