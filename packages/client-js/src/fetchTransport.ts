import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { unreachable } from "./toLookoutError.ts";

/** The protocols that `fetch` can speak. */
export type FetchProtocol = "connect" | "grpc-web";

/** The part of `fetch` that the client uses. */
export type Fetch = typeof globalThis.fetch;

/**
 * A way to the service over `fetch`, which distinguishes an unreachable address from an answer that breaks off. `own` replaces the fetch of
 * the platform.
 */
export function fetchTransport(
  baseUrl: string,
  protocol: FetchProtocol,
  interceptors: Interceptor[],
  own?: Fetch,
): Transport {
  const create = protocol === "connect" ? createConnectTransport : createGrpcWebTransport;
  return create({ baseUrl, interceptors, fetch: reportingFetch(baseUrl, own) });
}

/** `fetch`, except that a failure to reach the address can be distinguished from an answer that breaks off. */
function reportingFetch(baseUrl: string, own: Fetch | undefined): Fetch {
  return async (input, init) => {
    try {
      const response = await (own ?? fetch)(input, init);
      if (proxyStatuses.has(response.status) && !(await isOfConnect(response)))
        throw new ConnectError(`HTTP ${response.status}`, Code.Unavailable, response.headers);
      return response;
    } catch (error) {
      if (error instanceof ConnectError) throw error;
      if (init?.signal?.aborted) throw error;
      const cause = unreachable(baseUrl, error);
      throw new ConnectError(cause.message, Code.Unavailable, undefined, undefined, cause);
    }
  };
}

/** What proxies answer by themselves: too many requests, and nothing or no answer behind them. */
const proxyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Whether an answer is an error in the form of Connect, and so of the service. */
async function isOfConnect(response: Response): Promise<boolean> {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return false;
  try {
    const body: unknown = await response.clone().json();
    return typeof body === "object" && body !== null && "code" in body;
  } catch {
    return false;
  }
}
