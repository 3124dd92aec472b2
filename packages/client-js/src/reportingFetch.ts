import { Code, ConnectError } from "@connectrpc/connect";
import { unreachable } from "./toLookoutError.ts";

/** `fetch`, except that a failure to reach the address can be distinguished from an answer that breaks off. */
export function reportingFetch(baseUrl: string): typeof fetch {
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
