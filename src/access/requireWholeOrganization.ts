import { ApiError } from "../errors.ts";
import type { Caller } from "./caller.ts";

/** Throws ACCESS_DENIED for credentials that are limited to websites: what they ask for concerns all of the organization. */
export function requireWholeOrganization({ websiteIds }: Caller): void {
  if (websiteIds !== undefined)
    throw new ApiError("ACCESS_DENIED", "This API key is limited to websites. Use one of the whole organization");
}
