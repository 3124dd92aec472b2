/** The code of a refusal by better-auth, such as INVALID_TOKEN; undefined for other errors. */
export function refusalCode(thrown: unknown): string | undefined {
  return isRefusal(thrown) ? thrown.body?.code : undefined;
}

/** Rethrows the cause of an error that better-auth wrapped, such as a store's error. */
export function unwrapped(thrown: unknown): never {
  throw isRefusal(thrown) && thrown.statusCode >= 500 && thrown.cause !== undefined ? thrown.cause : thrown;
}

type Refusal = Error & { readonly statusCode: number; readonly body?: { readonly code?: string } };

/** An error of better-auth, by its name: its class would load the library, which most processes never need. */
function isRefusal(thrown: unknown): thrown is Refusal {
  return thrown instanceof Error && thrown.name === "APIError" && "statusCode" in thrown;
}
