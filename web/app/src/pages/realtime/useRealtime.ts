import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RealtimeFigures } from "./figures.ts";
import { type FollowState, follow } from "./follow.ts";

/** What happens on a website. While it is paused, the figures stay as they were. */
export function useRealtime(websiteId: string, timezone: string, isPaused: boolean) {
  const figures = useSignal<RealtimeFigures | undefined>(undefined);
  const state = useSignal<FollowState>({ kind: "connecting" });
  useEffect(() => {
    if (isPaused) return;
    state.value = { kind: "connecting" };
    return follow(websiteId, timezone, {
      onFigures: (fresh) => {
        figures.value = fresh;
      },
      onState: (fresh) => {
        state.value = fresh;
      },
    });
  }, [websiteId, timezone, isPaused, figures, state]);
  return { figures: figures.value, state: state.value };
}
