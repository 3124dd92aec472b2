import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Whether something has been going on for longer than a time. */
export function useLate(isGoingOn: boolean, afterMs: number): boolean {
  const isLate = useSignal(false);
  useEffect(() => {
    isLate.value = false;
    if (!isGoingOn) return;
    const timer = setTimeout(() => {
      isLate.value = true;
    }, afterMs);
    return () => clearTimeout(timer);
  }, [isGoingOn, afterMs, isLate]);
  return isLate.value;
}
