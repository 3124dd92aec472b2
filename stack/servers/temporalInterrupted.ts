import { poll } from "../../src/concurrency/poll.ts";
import { askNamespace, type TemporalHttp } from "./temporalNamespace.ts";

const lookEveryMs = 5_000;
/** Temporal repeats a failed read for about 10 s before it answers. */
const lookTimeoutMs = 30_000;
/** A single read may be interrupted by a caller that has left. */
const answersInARow = 3;

/**
 * Resolves with a reason to restart Temporal's development server once its SQLite answers nothing but "interrupted": a statement whose
 * caller gave up on a busy machine can stay open, and SQLite then interrupts every statement of the only connection until the server ends
 * (https://sqlite.org/c3ref/interrupt.html). Rejects when `ended` aborts. No answer at all says nothing: the machine may be busy.
 */
export async function whenInterrupted(
  http: TemporalHttp,
  namespace: string,
  ended: AbortSignal,
  everyMs = lookEveryMs,
): Promise<string> {
  let interrupted = 0;
  const look = async () => {
    const text = await askNamespace(http, namespace, lookTimeoutMs).catch(() => undefined);
    if (text === undefined) return undefined;
    interrupted = text.includes("interrupted (9)") ? interrupted + 1 : 0;
    return interrupted >= answersInARow && "answers every read of its database with “interrupted”";
  };
  return await poll(look, ended, everyMs);
}
