import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Counts up regularly while the page is in front, and when it comes to the front, so that answers are requested again. */
export function useEvery(intervalMs: number): number {
  const count = useSignal(0);
  useEffect(() => {
    const tick = (): void => {
      if (!document.hidden) count.value++;
    };
    const timer = setInterval(tick, intervalMs);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [intervalMs, count]);
  return count.value;
}
