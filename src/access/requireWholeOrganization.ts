import type { Caller } from "../call/caller.ts";
import { ApiError } from "../errors/errors.ts";

/** Throws ACCESS_DENIED for credentials limited to websites: the call concerns the whole organization. */
export function requireWholeOrganization({ websiteIds }: Caller): void {
  if (websiteIds !== undefined)
    throw new ApiError("ACCESS_DENIED", "This API key is limited to websites. Use one of the whole organization");
}
