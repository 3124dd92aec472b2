/** Writing or reading cannot succeed until somebody changes something; the message says what. */
export class StorageError extends Error {
  override name = "StorageError";
}
