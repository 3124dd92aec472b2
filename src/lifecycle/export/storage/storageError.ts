/** Writing or reading cannot succeed until an operator changes something; the message says what. */
export class StorageError extends Error {
  override name = "StorageError";
}
