import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { wantsWholePage } from "./wholePage.ts";

/** How far outside the window an element still counts as near. */
const margin = "300px";

/** Whether an element has been near the window since it was drawn, or the whole page is wanted. */
export function useOnScreen(element: RefObject<HTMLElement | null>): boolean {
  const wasSeen = useSignal(false);
  useEffect(() => {
    if (element.current === null || wasSeen.value) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        wasSeen.value = true;
        observer.disconnect();
      },
      { rootMargin: margin },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, wasSeen]);
  return wasSeen.value || wantsWholePage.value;
}
