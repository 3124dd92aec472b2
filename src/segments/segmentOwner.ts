import { requireScope } from "../access/authorize.ts";
import type { Caller } from "../call/caller.ts";
import { validationError } from "../errors/errors.ts";

/**
 * Whose a segment becomes that a caller saves: null for a shared one. Throws ACCESS_DENIED if the caller may not share it, and
 * VALIDATION_ERROR if the caller is no person.
 */
export function ownerOf(caller: Caller, shared: boolean): string | null {
  if (shared) {
    requireSharing(caller);
    return null;
  }
  if (caller.kind === "user") return caller.userId;
  throw validationError([
    { field: "shared", message: "must be true with an API key, since only people have segments of their own" },
  ]);
}

/** Throws ACCESS_DENIED for a caller who may not change shared segments. */
export function requireSharing(caller: Caller): void {
  requireScope(caller, "update", "Shared segments are changed by those who may change the website. ");
}
