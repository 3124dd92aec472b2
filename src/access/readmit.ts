import { ApiError } from "../errors/errors.ts";
import { type AccessCall, admitReader, authenticate, requireScope } from "./authorize.ts";

/**
 * Checks the credentials of a stream once more, with the scope it began with, and records its caller as they are now. A
 * stream that began without credentials has none to lose.
 *
 * Rejects with AUTH_REQUIRED once its session or its access to a shared dashboard has ended in any way, with INVALID_API_KEY once its key has, and with
 * ACCESS_DENIED once they no longer have the scope.
 */
export async function readmit(call: AccessCall, scope: string): Promise<void> {
  if (call.signal.aborted) return;
  if (call.shared !== undefined) return await admitReader(call);
  if (call.caller === undefined) return;
  const caller = await authenticate(call);
  if (caller === undefined)
    throw new ApiError("AUTH_REQUIRED", "The session of this stream has ended. Sign in again with POST /auth/sign-in");
  requireScope(caller, scope);
  call.caller = caller;
}
