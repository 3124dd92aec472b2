/** Codes of errors of Node.js that mean: the address cannot be reached, or the connection broke. */
const networkCodes: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  // Of fetch: the other side closed the connection.
  "UND_ERR_SOCKET",
]);

/** Whether an error says that an address cannot be reached or that the connection to it broke, as after kill -9. */
export function isNetworkError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && networkCodes.has(error.code);
}
