import type { CallOptions } from "./callOptions.ts";
import type { Lifetime } from "./lifetime.ts";
import { LookoutError } from "./lookoutError.ts";
import { type Parameter, type QueryAnswer, type QueryCalls, type WatchQuery, watchQuery } from "./query.ts";
import { readQuery } from "./readQuery.ts";
import { backoffMs, pause, type RetryOptions, waitBeforeRetry } from "./retry.ts";

export type WatchOptions = CallOptions & {
  /**
   * Whether the stream is opened again after a temporary failure, until the loop ends or the signal aborts. Until the first answer that is
   * done as often as for other calls (`retry.attempts`). The default is true.
   */
  readonly reconnect?: boolean | undefined;
  /** Called when the stream was lost, before it is opened again in `waitMs` ms: the answer may be old until the next one comes. */
  readonly onReconnect?: ((error: LookoutError, waitMs: number) => void) | undefined;
  /**
   * How often the service sends something when nothing changes, 1 to 300 s, so that proxies keep the connection. The default is 30. A stream
   * that is quiet for 2.5 times as long counts as lost.
   */
  readonly keepAliveSeconds?: number | undefined;
};

const usualKeepAliveSeconds = 30;

/** Answers like watchQuery, also over several connections one after another. */
export async function* liveQuery<const P extends readonly Parameter[]>(
  queries: QueryCalls,
  lifetime: Lifetime,
  retry: RetryOptions,
  query: WatchQuery<P>,
  { reconnect = true, onReconnect, keepAliveSeconds = usualKeepAliveSeconds, ...options }: WatchOptions = {},
): AsyncGenerator<QueryAnswer<P>, void> {
  const asked = readQuery(query);
  const running = lifetime.begin(options.signal);
  const own = { ...options, signal: running.signal };
  let hasAnswered = false;
  let failures = 0;
  let interval: number | undefined = keepAliveSeconds;
  try {
    for (;;) {
      try {
        for await (const answer of watchQuery<P>(queries, asked, own, interval)) {
          hasAnswered = true;
          failures = 0;
          yield answer;
        }
        return;
      } catch (error) {
        const end = running.endedBy(error);
        if (end !== undefined) throw end;
        if (interval !== undefined && isUnknownInterval(error)) {
          interval = undefined;
          continue;
        }
        failures += 1;
        const waitMs = reconnect ? waitBeforeOpening(error, failures, retry, hasAnswered) : undefined;
        if (waitMs === undefined) throw error;
        onReconnect?.(error as LookoutError, Math.round(waitMs));
        await pause(waitMs, running.signal);
        const ended = running.endedBy(error);
        if (ended !== undefined) throw ended;
      }
    }
  } finally {
    running.end();
  }
}

/** Whether a service of an older version refuses the request, since it does not know the member. */
function isUnknownInterval(error: unknown): boolean {
  return error instanceof LookoutError && /"keep_?alive_?seconds" is unknown/i.test(error.message);
}

/** ms; undefined when the stream is not opened again. One that was open once is, however often that fails. */
function waitBeforeOpening(
  error: unknown,
  failures: number,
  retry: RetryOptions,
  hasAnswered: boolean,
): number | undefined {
  if (!(error instanceof LookoutError) || !error.isTemporary) return undefined;
  if (!hasAnswered) return waitBeforeRetry(error, failures, retry, Number.POSITIVE_INFINITY);
  const { retryAfterMs } = error;
  return retryAfterMs === undefined ? backoffMs(failures, retry.firstWaitMs) : retryAfterMs * (1 + Math.random() / 10);
}
