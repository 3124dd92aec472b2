import { signal } from "@preact/signals";
import { basePath } from "./base.ts";
import { addressOf, type Place, readPlace } from "./path.ts";

/** Where the person is. */
export const place = signal<Place>(here());

export type Navigation = {
  readonly query?: URLSearchParams | undefined;
  /** Replaces the entry of the history, so that the back button leads past it. */
  readonly replace?: boolean;
  /** Stays where the page is scrolled to, as after a change of a filter. */
  readonly keepScroll?: boolean;
};

/** The address of a place of the app, for a link. */
export function hrefTo(segments: readonly string[], query?: URLSearchParams): string {
  return addressOf(basePath, segments, query);
}

/** Goes to a place of the app. */
export function goTo(segments: readonly string[], navigation: Navigation = {}): void {
  goToAddress(hrefTo(segments, navigation.query), navigation);
}

/** Goes to an address that `hrefTo` made. */
export function goToAddress(address: string, { replace = false, keepScroll = false }: Navigation = {}): void {
  const pathBefore = location.pathname;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.value = here();
  if (location.pathname !== pathBefore && !keepScroll) scrollTo(0, 0);
}

/** Follows the back button and links of the page without loading it anew. Call it once. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    place.value = here();
  });
  addEventListener("hashchange", () => {
    place.value = here();
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || !isOwn(link) || isSpecial(event)) return;
    event.preventDefault();
    goToAddress(link.pathname + link.search + link.hash, { keepScroll: link.dataset["keepScroll"] !== undefined });
  });
}

/** Other pages of the host, such as the API reference, are marked with `rel="external"`. */
function isOwn(link: HTMLAnchorElement): boolean {
  return (
    link.origin === location.origin &&
    link.pathname.startsWith(basePath) &&
    link.target === "" &&
    !link.hasAttribute("download") &&
    link.rel !== "external" &&
    !(link.hash !== "" && link.pathname === location.pathname && link.search === location.search)
  );
}

/** A click that opens a tab, or that something else has handled. */
function isSpecial(event: MouseEvent): boolean {
  return (
    event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  );
}

function here(): Place {
  return readPlace(new URL(location.href), basePath);
}
