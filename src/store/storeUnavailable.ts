import { NotAnsweredError } from "../concurrency/within.ts";
import { isNetworkError } from "./networkErrors.ts";

/** Messages of pg for a connection that broke, could not be opened or did not answer in time; these errors have no code. */
const brokenConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** SQLSTATE classes of a PostgreSQL that is starting, stopping or full (appendix A: 57P0x, 53xxx, 08xxx). */
const unavailableState = /^(57P0|53|08)/;

/** Whether a call failed because its store could not be reached, rather than because of the statement. */
export function isStoreUnavailable(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  if (failure instanceof NotAnsweredError) return true;
  const code = "code" in failure ? failure.code : undefined;
  if (isNetworkError(failure) || (typeof code === "string" && unavailableState.test(code))) return true;
  return brokenConnection.test(failure.message);
}
