/** Codes of Node's network errors that mean nobody answers at the address. */
const networkCodes: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** What pg says when a connection broke, or none could be had in time; these errors carry no code. */
const brokenConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether a read failed because the event store could not be reached, rather than because of the statement. */
export function isStoreAway(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  return ("code" in failure && networkCodes.has(failure.code)) || brokenConnection.test(failure.message);
}
