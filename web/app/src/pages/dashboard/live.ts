import { signal } from "@preact/signals";
import type { ActiveStatsRow, SummaryMetricsRow } from "../../../../../packages/client-js/src/rows.ts";
import { errorOf, query, watch } from "../../api/client.ts";
import { keepPulse, pause } from "../../api/keepPulse.ts";
import type { Scope } from "./view/question.ts";

/** stalled: the stream is there, but nothing is answered. off: the page is in the background, or the stream cannot be had. */
export type LiveState = "connecting" | "live" | "stalled" | "lost" | "off";

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
const pulseMs = 15_000;
/** Figures are live only as long as an answer takes no longer. */
export const patienceMs = 5_000;
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
      const stop = AbortSignal.any([end.signal, current.signal]);
      void watchUntil(scope, stop);
      void keepPulse(pulseOf(scope), stop);
    }
  };
  document.addEventListener("visibilitychange", follow, { signal: end.signal });
  follow();
  return () => end.abort();
}

/** The stream is silent while nothing changes, so it does not say whether anything is answered. */
function pulseOf(scope: Scope) {
  return {
    everyMs: pulseMs,
    patienceMs,
    ask: async (signal: AbortSignal) => (await query({ ...scope, parameters: ["active_stats"] }, { signal })).data[0],
    onAnswer: (answer: { readonly success: boolean; readonly data: readonly ActiveStatsRow[] | null }) => {
      const { state, now } = live.peek();
      if (state !== "live" && state !== "stalled") return;
      live.value = answer.success
        ? { ...live.peek(), state: "live", now: answer.data?.[0] ?? now }
        : { ...live.peek(), state: "stalled" };
    },
    onSilence: () => {
      if (live.peek().state === "live") live.value = { ...live.peek(), state: "stalled" };
    },
  };
}

/** Begins again after failures, less and less often. */
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
  const { state, summary: before } = live.peek();
  live.value = { state: "live", now, summary };
  // Whatever failed meanwhile is asked again.
  if (state === "lost") liveChanges.value++;
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
