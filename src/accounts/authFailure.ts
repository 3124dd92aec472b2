import { isAPIError } from "better-auth/api";

/** The code of a refusal by better-auth, such as INVALID_TOKEN; undefined for other errors. */
export function refusalCode(thrown: unknown): string | undefined {
  return isAPIError(thrown) ? thrown.body?.code : undefined;
}

/** Rethrows the cause of an error that better-auth wrapped, such as a store's error. */
export function unwrapped(thrown: unknown): never {
  throw isAPIError(thrown) && thrown.statusCode >= 500 && thrown.cause !== undefined ? thrown.cause : thrown;
}
