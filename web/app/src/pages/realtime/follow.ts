import { errorOf, type LookoutError, query, watch } from "../../api/client.ts";
import { keepPulse, pause } from "../../api/keepPulse.ts";
import { figuresOf, type RealtimeFigures } from "./figures.ts";
import { realtimeQuestion } from "./realtimeQuestion.ts";

export type FollowState =
  | { readonly kind: "connecting" | "live" | "stalled" | "lost" | "off" }
  | { readonly kind: "refused"; readonly error: LookoutError };

export type Listener = {
  readonly onState: (state: FollowState) => void;
  readonly onFigures: (figures: RealtimeFigures) => void;
};

/** Also moves the window of time forward: the stream is silent while nothing happens. */
const pulseMs = 10_000;
const patienceMs = 5_000;
const firstWaitMs = 1_000;
const mostWaitMs = 30_000;

/** Errors for which a retry does not help. */
const hopeless: ReadonlySet<string> = new Set(["AUTH_REQUIRED", "ACCESS_DENIED", "NOT_FOUND", "VALIDATION_ERROR"]);

type Question = ReturnType<typeof realtimeQuestion>;

/**
 * Follows what happens on a website with one stream, while the page is in front: browsers allow one host six connections. Returns a function
 * that ends it.
 */
export function follow(websiteId: string, timezone: string, listener: Listener): () => void {
  const question = realtimeQuestion(websiteId, timezone);
  const end = new AbortController();
  let current: AbortController | undefined;
  const followFront = (): void => {
    if (document.hidden) {
      current?.abort();
      current = undefined;
      if (!end.signal.aborted) listener.onState({ kind: "off" });
    } else if (current === undefined) {
      current = new AbortController();
      const stop = AbortSignal.any([end.signal, current.signal]);
      void watchUntil(question, listener, stop);
      void keepPulse(pulseOf(question, listener), stop);
    }
  };
  document.addEventListener("visibilitychange", followFront, { signal: end.signal });
  followFront();
  return () => end.abort();
}

function pulseOf(question: Question, { onState, onFigures }: Listener) {
  return {
    everyMs: pulseMs,
    patienceMs,
    ask: (signal: AbortSignal) => query(question, { signal }),
    onAnswer: (answer: Awaited<ReturnType<typeof query<Question["parameters"]>>>) => {
      onFigures(figuresOf(answer, Date.now()));
      onState({ kind: "live" });
    },
    onSilence: () => onState({ kind: "stalled" }),
  };
}

/** Begins again after failures, less and less often. */
async function watchUntil(question: Question, { onState, onFigures }: Listener, signal: AbortSignal): Promise<void> {
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, mostWaitMs)) {
    try {
      for await (const answer of watch(question, { signal })) {
        waitMs = firstWaitMs;
        onFigures(figuresOf(answer, Date.now()));
        onState({ kind: "live" });
      }
    } catch (thrown) {
      if (signal.aborted) return;
      const error = errorOf(thrown);
      if (hopeless.has(error.code)) {
        onState({ kind: "refused", error });
        return;
      }
    }
    if (signal.aborted) return;
    onState({ kind: "lost" });
    await pause(waitMs, signal);
  }
}
