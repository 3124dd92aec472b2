import { StoreFailure } from "../../errors/storeFailure.ts";

/**
 * Messages of QuestDB 9.3.4 for a statement that it broke off for a reason of its own: an exception without a text, or
 * a cancel that this read did not ask for. A wrong statement always has a text that names what is wrong.
 */
const brokenOff =
  /^(?:$|null$|no message provided|Internal error\. Exception type|unexpected filter error|cancelled by user|remote disconnected, query aborted)/;

/** QuestDB has the same limit as the reader, and may be the first to stop. */
const timedOut = /^timeout, query aborted/;

/** In all, each on a connection of its own. */
const attempts = 3;

/**
 * Repeats a read that QuestDB broke off. Rejects with StoreFailure when it does so each time, or when `mayRepeat` says that rows were handed on
 * already; its cause says what QuestDB answered. A read that QuestDB stopped after `timeoutMs` is not repeated.
 */
export async function unlessBrokenOff(
  read: () => Promise<void>,
  mayRepeat: () => boolean,
  timeoutMs: number,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (isAnswered(error) && timedOut.test(error.message))
        throw new StoreFailure({ kind: "read_too_long", timeoutMs }, error);
      if (!isAnswered(error) || !brokenOff.test(error.message)) throw error;
      if (attempt === attempts || !mayRepeat())
        throw new StoreFailure({ kind: "broken_off" }, explained(error, attempt));
    }
  }
}

/** The driver gives each error that a server answered a `severity`. */
function isAnswered(error: unknown): error is Error {
  return error instanceof Error && "severity" in error;
}

/** An empty message would leave the log without a cause. */
function explained(error: Error, attempt: number): Error {
  const code = "code" in error ? String(error.code) : "none";
  const said = error.message === "" ? "without a message" : `"${error.message}"`;
  return new Error(`QuestDB broke off a statement in attempt ${attempt}: error ${said}, SQLSTATE ${code}`, {
    cause: error,
  });
}
