import { signal } from "@preact/signals";
import { basePath, isInBrowser } from "./base.ts";
import { addressOf, type Place, readPlace } from "./path.ts";

/** The current place. */
export const place = signal<Place>(isInBrowser ? here() : { segments: [], query: new URLSearchParams(), fragment: "" });

export type Navigation = {
  readonly query?: URLSearchParams | undefined;
  /** Replaces the entry of the history, so that the back button skips it. */
  readonly replace?: boolean;
  /** Keeps the scroll position, for example after a change of a filter. */
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

/** The fragment that stays in the address while its page stays; empty for none. */
let keptFragment = "";

/** Keeps a fragment, such as the token of a shared link, so that the address still opens the page when its query has changed. */
export function keepFragment(fragment: string): void {
  keptFragment = fragment;
}

/** Goes to an address that `hrefTo` made. */
export function goToAddress(given: string, { replace = false, keepScroll = false }: Navigation = {}): void {
  const pathBefore = location.pathname;
  const stays = keptFragment !== "" && !given.includes("#") && new URL(given, location.href).pathname === pathBefore;
  const address = stays ? `${given}#${keptFragment}` : given;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.value = here();
  if (location.pathname !== pathBefore && !keepScroll) scrollTo(0, 0);
}

/** Handles the back button and links of the page without reloading it. Call it once. */
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

/**
 * Whether a link leads to a place of the app. Other pages of the host, such as the API reference, are marked with
 * `rel="external"`.
 */
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

/** Whether a click opens a tab or was already handled. */
function isSpecial(event: MouseEvent): boolean {
  return (
    event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  );
}

function here(): Place {
  return readPlace(new URL(location.href), basePath);
}
