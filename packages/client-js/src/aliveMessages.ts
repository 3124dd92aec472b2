import type { CallOptions } from "./callOptions.ts";
import { LookoutError } from "./lookoutError.ts";

/** How many of its intervals a stream may be quiet for: the connection may be slow, and a message may just have been sent. */
const quietIntervals = 2.5;

/**
 * The messages of a stream that sends something every `keepAliveSeconds`, of which the first one has a time of its own. Throws a BAD_ANSWER
 * when it is quiet for too long, as when the other side has gone without a word. The time that the caller takes for a message does not count.
 */
export async function* aliveMessages<Message>(
  open: (options: CallOptions) => AsyncIterable<Message>,
  options: CallOptions,
  keepAliveSeconds: number,
): AsyncGenerator<Message, void> {
  const quietMs = keepAliveSeconds * 1_000 * quietIntervals;
  const quiet = new AbortController();
  const signal = options.signal === undefined ? quiet.signal : AbortSignal.any([quiet.signal, options.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const messages = open({ ...options, signal })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await messages.next();
      clearTimeout(timer);
      if (done === true) return;
      yield value;
      timer = setTimeout(() => quiet.abort(), quietMs);
    }
  } catch (error) {
    if (!quiet.signal.aborted || options.signal?.aborted) throw error;
    throw new LookoutError(
      "BAD_ANSWER",
      `The connection was lost: nothing came for ${quietMs / 1_000} s, although something comes every ${keepAliveSeconds} s`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
    await messages.return?.();
  }
}
