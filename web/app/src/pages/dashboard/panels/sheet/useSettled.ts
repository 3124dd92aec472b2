import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** How long nothing is typed before the service is asked. */
const pauseMs = 300;

/** A text once it no longer changes. */
export function useSettled(text: string): string {
  const settled = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text;
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled.value;
}
