import { isAPIError } from "better-auth/api";

/** The code of a refusal by better-auth, such as INVALID_TOKEN; undefined for what is no refusal of its. */
export function refusalCode(thrown: unknown): string | undefined {
  return isAPIError(thrown) ? thrown.body?.code : undefined;
}

/** Throws what better-auth failed of, such as the store's own error, where it threw an error of its own around it. */
export function unwrapped(thrown: unknown): never {
  throw isAPIError(thrown) && thrown.statusCode >= 500 && thrown.cause !== undefined ? thrown.cause : thrown;
}
