import type { Caller } from "../call/caller.ts";
import { ApiError } from "../errors/errors.ts";

/** Throws ACCESS_DENIED for a key or person limited to websites: the call concerns the whole organization. */
export function requireWholeOrganization({ kind, websiteIds }: Caller): void {
  if (websiteIds === undefined) return;
  throw new ApiError(
    "ACCESS_DENIED",
    kind === "key"
      ? "This API key is limited to websites. Use one of the whole organization"
      : "You are limited to websites, and this concerns the whole organization. Ask an owner or admin who is not",
  );
}
