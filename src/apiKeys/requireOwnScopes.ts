import type { Caller } from "../access/caller.ts";
import { ApiError } from "../errors.ts";

/**
 * Throws ACCESS_DENIED for scopes that the caller lacks: who gets the text of a key gets what the key may do, and nobody may get more than
 * they have.
 */
export function requireOwnScopes(scopes: readonly string[], caller: Caller): void {
  const beyond = scopes.filter((scope) => !caller.scopes.has(scope));
  if (beyond.length > 0)
    throw new ApiError(
      "ACCESS_DENIED",
      `Your credentials lack ${beyond.join(", ")} and cannot give it to a key. Use credentials that have it`,
    );
}
