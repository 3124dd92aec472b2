import { signal } from "@preact/signals";
import type { ActiveStatsRow, SummaryMetricsRow } from "../../../../../packages/client-js/src/rows.ts";
import { errorOf, watch } from "../../api/client.ts";
import type { Scope } from "./view/question.ts";

/** off: the page is in the background, or the service refuses the stream. */
export type LiveState = "connecting" | "live" | "lost" | "off";

export type Live = {
  readonly state: LiveState;
  /** Visitors and sessions of the last minutes; undefined until known. */
  readonly now: ActiveStatsRow | undefined;
  /** The key figures of the range; undefined until known. */
  readonly summary: SummaryMetricsRow | undefined;
};

export const live = signal<Live>({ state: "connecting", now: undefined, summary: undefined });

/** Counts changes of the figures, at most one per `refreshMs`. Panels ask again when it changes. */
export const liveChanges = signal(0);

const refreshMs = 5_000;
const firstWaitMs = 1_000;
const mostWaitMs = 30_000;

/**
 * Watches a question while the page is in front: browsers allow one host six connections, which background windows must not hold.
 * Returns a function that ends it.
 */
export function startLive(scope: Scope): () => void {
  const end = new AbortController();
  live.value = { state: "connecting", now: live.peek().now, summary: undefined };
  let current: AbortController | undefined;
  const follow = (): void => {
    if (document.hidden) {
      current?.abort();
      current = undefined;
      if (!end.signal.aborted) live.value = { ...live.peek(), state: "off" };
    } else if (current === undefined) {
      current = new AbortController();
      void watchUntil(scope, AbortSignal.any([end.signal, current.signal]));
    }
  };
  document.addEventListener("visibilitychange", follow, { signal: end.signal });
  follow();
  return () => end.abort();
}

/** Retries after failures, less and less often. */
async function watchUntil(scope: Scope, signal: AbortSignal): Promise<void> {
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, mostWaitMs)) {
    try {
      for await (const { data } of watch({ ...scope, parameters: ["active_stats", "summary_metrics"] }, { signal })) {
        const [now, summary] = data;
        waitMs = firstWaitMs;
        show(now.success ? now.data[0] : undefined, summary.success ? summary.data[0] : undefined);
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (hopeless.has(errorOf(thrown).code)) {
        live.value = { ...live.peek(), state: "off" };
        return;
      }
    }
    if (signal.aborted) return;
    live.value = { ...live.peek(), state: "lost" };
    await pause(waitMs, signal);
  }
}

/** Errors for which a retry does not help. */
const hopeless: ReadonlySet<string> = new Set(["AUTH_REQUIRED", "ACCESS_DENIED", "NOT_FOUND", "VALIDATION_ERROR"]);

let lastChangeMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function show(now: ActiveStatsRow | undefined, summary: SummaryMetricsRow | undefined): void {
  const before = live.peek().summary;
  live.value = { state: "live", now, summary };
  if (before === undefined || JSON.stringify(before) === JSON.stringify(summary) || timer !== undefined) return;
  timer = setTimeout(
    () => {
      timer = undefined;
      lastChangeMs = performance.now();
      liveChanges.value++;
    },
    Math.max(0, lastChangeMs + refreshMs - performance.now()),
  );
}

/** Waits; ends early when the device is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(wake);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const wake = setTimeout(done, ms);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
