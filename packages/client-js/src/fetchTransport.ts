import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { systemErrors } from "./systemErrors.ts";
import { noAnswer } from "./toLookoutError.ts";

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

/** `fetch`, except that a failure to reach the address can be distinguished from an answer that breaks off, and that others' answers have a status. */
function reportingFetch(baseUrl: string, own: Fetch | undefined): Fetch {
  return async (input, init) => {
    try {
      // Connect asks for an error instead of a redirect, and that error does not say what it is about.
      const response = await (own ?? fetch)(input, { ...init, redirect: "manual" });
      if (!response.ok && !(await isOfConnect(response)))
        throw new ConnectError(`HTTP ${statusOf(response)}`, Code.Unavailable, response.headers);
      return response;
    } catch (error) {
      if (error instanceof ConnectError) throw error;
      if (init?.signal?.aborted) throw error;
      const cause = noAnswer(baseUrl, error, systemErrors);
      throw new ConnectError(cause.message, Code.Unavailable, undefined, undefined, cause);
    }
  };
}

/** Browsers hide the status of a redirect. */
function statusOf({ type, status }: Response): number {
  return type === "opaqueredirect" ? 302 : status;
}

/** Whether an answer is an error in the form of Connect, and so of the service. Its codes are words in lower case. */
async function isOfConnect(response: Response): Promise<boolean> {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return false;
  try {
    const body: unknown = await response.clone().json();
    if (typeof body !== "object" || body === null || !("code" in body)) return false;
    return typeof body.code === "string" && /^[a-z_]+$/.test(body.code);
  } catch {
    return false;
  }
}
