/**
 * The path where the app is served, with a slash at its end: `/`, or `/stats/` behind a proxy that serves it there. The page's
 * `<base>` points there from every path.
 */
export const basePath = new URL(".", document.baseURI).pathname;

/** The same as an address without the last slash, for the client of the API. */
export const baseUrl = new URL(".", document.baseURI).href.replace(/\/$/, "");
