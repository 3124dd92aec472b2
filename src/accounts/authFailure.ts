import { signInRequired } from "../access/authorize.ts";
import { ApiError } from "../errors/errors.ts";

/** The code of a refusal by better-auth, such as INVALID_TOKEN; undefined for other errors. */
export function refusalCode(thrown: unknown): string | undefined {
  return isRefusal(thrown) ? thrown.body?.code : undefined;
}

/** Whether better-auth refused what the client sent, and did not fail itself. */
export function isRefused(thrown: unknown): boolean {
  return isRefusal(thrown) && thrown.statusCode < 500;
}

/**
 * Rethrows the cause of an error that better-auth wrapped, such as a store's error. What a handler does not expect of
 * its refusals comes from simultaneous calls: another one ended the session, or changed the account.
 */
export function unwrapped(thrown: unknown): never {
  if (isRefusal(thrown) && thrown.statusCode === 401) throw signInRequired();
  if (isRefusal(thrown) && thrown.statusCode === 409)
    throw new ApiError("CONFLICT", "Another call changed the account at the same time. Try again");
  throw isRefusal(thrown) && thrown.statusCode >= 500 && thrown.cause !== undefined ? thrown.cause : thrown;
}

type Refusal = Error & { readonly statusCode: number; readonly body?: { readonly code?: string } };

/** An error of better-auth, by its name: its class would load the library, which most processes never need. */
function isRefusal(thrown: unknown): thrown is Refusal {
  return thrown instanceof Error && thrown.name === "APIError" && "statusCode" in thrown;
}
