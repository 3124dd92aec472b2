import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { nextFocus } from "./nextFocus.ts";

/**
 * Keeps the keyboard where something has changed: the row or the chip that was chosen is gone with its filter, and the focus would begin at the top
 * of the page. `names` are those of the chips in their order.
 */
export function useKeptFocus(bar: RefObject<HTMLElement | null>, names: readonly string[]): void {
  const before = useRef(names);
  useEffect(() => {
    const next = nextFocus(before.current, names);
    before.current = names;
    if (next === undefined || document.activeElement !== document.body) return;
    const chips = bar.current?.querySelectorAll<HTMLElement>("[data-chip]") ?? [];
    const target = chips[next] ?? bar.current?.querySelector<HTMLElement>("[data-add-filter]");
    target?.focus({ preventScroll: true });
  }, [names.join()]);
}
