import { setTimeout as pause } from "node:timers/promises";
import { isNetworkError } from "../../store/networkErrors.ts";
import { executeStatement } from "../../store/questdb/executeStatement.ts";
import type { Answering } from "./chooseReplica.ts";

/**
 * A replica that takes longer than twice this time answers `badly`. A busy machine answers sooner. With the time between two
 * checks this leaves almost one of the three seconds within which another replica must answer hanging queries.
 */
const halfMs = 800;

/** Checks how the QuestDB at this address answers now. Never rejects. */
export async function lookAtReplica(http: string): Promise<Answering> {
  const ended = new AbortController();
  // QuestDB may have closed an idle connection: a second request shows whether it is unreachable.
  const answering = ask(http, ended.signal).then((answer) => (answer === "not" ? ask(http, ended.signal) : answer));
  try {
    // Two timers, since this process itself may have been held up: then one of them fires before the answer is read.
    for (let half = 0; half < 2; half += 1) {
      const answer = await Promise.race([answering, pause(halfMs, undefined, { signal: ended.signal, ref: false })]);
      if (answer !== undefined) return answer;
    }
    return "badly";
  } finally {
    ended.abort();
  }
}

async function ask(http: string, signal: AbortSignal): Promise<Answering> {
  try {
    await executeStatement(http, "SELECT 1", 10 * halfMs, signal);
    return "well";
  } catch (error) {
    // fetch puts the network error into `cause`.
    return error instanceof Error && isNetworkError(error.cause) ? "not" : "badly";
  }
}
