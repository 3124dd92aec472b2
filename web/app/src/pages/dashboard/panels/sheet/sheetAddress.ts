import { computed } from "@preact/signals";
import { goTo, place } from "../../../../router/router.ts";

const parameter = "sheet";

/** The query type whose rows are all shown; null if none are. It is in the address, so that the back button closes it. */
export const openedSheet = computed(() => place.value.query.get(parameter));

/** Whether the page before this one in the history is the same without the sheet. */
let isAbovePage = false;

export function openSheet(type: string): void {
  const query = new URLSearchParams(place.value.query);
  query.set(parameter, type);
  goTo(place.value.segments, { query, keepScroll: true });
  isAbovePage = true;
}

export function closeSheet(): void {
  if (openedSheet.value === null) return;
  if (isAbovePage) {
    isAbovePage = false;
    history.back();
    return;
  }
  const query = new URLSearchParams(place.value.query);
  query.delete(parameter);
  goTo(place.value.segments, { query, replace: true, keepScroll: true });
}
