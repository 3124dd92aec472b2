import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** What the page on screen shows in the header, such as the choice of the website. */
export const headerSlot = signal<ComponentType | undefined>(undefined);

/** Shows a component in the header for as long as the calling page is on screen. */
export function useHeaderSlot(component: ComponentType): void {
  useLayoutEffect(() => {
    headerSlot.value = component;
    return () => {
      headerSlot.value = undefined;
    };
  }, [component]);
}
