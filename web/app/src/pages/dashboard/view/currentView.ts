import { computed } from "@preact/signals";
import { goTo, hrefTo, place } from "../../../router/router.ts";
import { readView, type View, writeView } from "./view.ts";

/** The view that the address describes. */
export const view = computed(() => readView(place.value.query));

/** The address of a view of the website on screen. */
export function hrefOfView(next: View): string {
  return hrefTo(place.value.segments, writeView(next));
}

/** Shows another view. The back button leads back. */
export function showView(next: View): void {
  goTo(place.value.segments, { query: writeView(next), keepScroll: true });
}
