import type { Caller } from "../call/caller.ts";
import { ApiError } from "../errors/errors.ts";

/**
 * Throws ACCESS_DENIED for scopes that the caller lacks: the text of a key grants its scopes, which must not exceed the
 * caller's.
 */
export function requireOwnScopes(scopes: readonly string[], caller: Caller): void {
  const beyond = scopes.filter((scope) => !caller.scopes.has(scope));
  if (beyond.length > 0)
    throw new ApiError(
      "ACCESS_DENIED",
      `Your credentials lack ${beyond.join(", ")} and cannot give it to a key. Use credentials that have it`,
    );
}
