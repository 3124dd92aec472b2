import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { LookoutError } from "./lookoutError.ts";

/**
 * An interceptor of the caller whose own failure is not taken for one of the service, and ends the call: Connect (2.2.0) keeps the timer of a
 * call whose interceptor throws before it has a promise.
 */
export function callersInterceptor(interceptor: Interceptor): Interceptor {
  return (next) => async (request) => {
    let passedOn: unknown;
    const remembering: typeof next = async (own) => {
      try {
        return await next(own);
      } catch (error) {
        passedOn = error;
        throw error;
      }
    };
    try {
      return await interceptor(remembering)(request);
    } catch (thrown) {
      const isOfCall = thrown === passedOn || thrown instanceof ConnectError || thrown instanceof LookoutError;
      if (isOfCall || request.signal.aborted) throw thrown;
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new LookoutError("INTERCEPTOR_FAILED", `An interceptor of createLookout threw: ${why}`, { cause: thrown });
    }
  };
}
