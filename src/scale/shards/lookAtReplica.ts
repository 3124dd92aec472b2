import { setTimeout as pause } from "node:timers/promises";
import { isNetworkError } from "../../store/networkErrors.ts";
import { executeStatement } from "../../store/questdb/executeStatement.ts";
import { readQuestdbAddress } from "../../store/questdb/questdbAddress.ts";
import type { Answering } from "./chooseReplica.ts";

/**
 * A replica that takes longer than two of these answers badly. With the time between two looks this leaves almost a second until queries
 * that hang must be answered by another one (three seconds), and is more than a busy machine needs.
 */
const halfMs = 800;

/** Looks how the QuestDB at this address answers now. Never rejects. */
export async function lookAtReplica(http: string): Promise<Answering> {
  const ended = new AbortController();
  // QuestDB may have closed a connection that was idle: a second one tells whether it is gone.
  const answering = ask(http, ended.signal).then((answer) => (answer === "not" ? ask(http, ended.signal) : answer));
  try {
    // Two timers, since this process may be the one that was held up: then one of them fires before the answer is read.
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
    await executeStatement(readQuestdbAddress(http), "SELECT 1", 10 * halfMs, signal);
    return "well";
  } catch (error) {
    // fetch names the reason as the cause.
    return error instanceof Error && isNetworkError(error.cause) ? "not" : "badly";
  }
}
