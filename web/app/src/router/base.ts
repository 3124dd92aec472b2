import { signal } from "@preact/signals";

/** Undefined in the service, which draws the first view: addresses are relative there, since only the browser knows the way to it. */
const base = typeof document === "undefined" ? undefined : new URL(".", document.baseURI);

/** Whether this is a browser, and not the service. */
export const isInBrowser = base !== undefined;

/**
 * The path where the app is served, with a slash at its end: `/`, or `/stats/` behind a proxy that serves it there. The page's
 * `<base>` points there from every path.
 */
export const basePath = base?.pathname ?? "";

/** The same as an address without the last slash, for the client of the API. */
export const baseUrl = base?.href.replace(/\/$/, "") ?? "http://service.invalid";

/** The host that the page is opened at. */
export const hostname = signal(base?.hostname ?? "");
