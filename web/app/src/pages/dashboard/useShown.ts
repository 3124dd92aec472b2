import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * Scrolls an element into the window when one of its parts is new: the clicked row may be far below, where nothing else shows
 * that the page has changed. An element in the window stays where it is.
 */
export function useShown(element: RefObject<HTMLElement | null>, parts: readonly unknown[]): void {
  const names = parts.map((part) => JSON.stringify(part));
  const before = useRef(names);
  useEffect(() => {
    const isNew = names.some((name) => !before.current.includes(name));
    before.current = names;
    if (!isNew) return;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.current?.scrollIntoView({ block: "nearest", behavior: isStill ? "instant" : "smooth" });
  }, [names.join()]);
}
