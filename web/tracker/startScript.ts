import { createTracker, type Extension, type Tracker, type TrackerOptions } from "./index.ts";

type Call = [name: "track" | "view" | "stop", ...args: unknown[]];

declare global {
  interface Window {
    /**
     * The tracker. Before the script has run, what a page sets: options, `q` with calls that wait (`["track", "signup"]`), and `errors` with
     * the error events so far, which tracker-vitals.js reports.
     */
    lookout?: Partial<Tracker> &
      Partial<TrackerOptions> & { q?: Call[]; errors?: (ErrorEvent | PromiseRejectionEvent)[] };
  }
}

/** Origin and website id in the address of the script. */
const srcPattern = /^(.+?\/\/[^/]+)(.*website.id=([\w-]+))?/;

/**
 * Starts the tracker and exposes it as `window.lookout`. Its options are in the attributes of the script tag or, since
 * tag managers drop those, in the previous value of `window.lookout`; the website's id may also be in the address of
 * the script.
 */
export function startScript(extension?: Extension): void {
  const early = window.lookout;
  // The tag occurs twice in the page: one tracker is enough.
  if (!early?.stop) {
    // A module has no access to its own tag.
    const script = (document.currentScript ||
      document.querySelector("[data-website-id],[data-client-id],script[src*='/tracker']")) as HTMLScriptElement | null;
    const [, apiUrl, , websiteId] = script?.src?.match(srcPattern) || [];
    const options: Record<string, unknown> = { apiUrl, websiteId, ...early };
    const attributes: Record<string, unknown> = script?.dataset || {};
    for (const name of Object.keys(attributes)) options[name] = attributes[name] !== "false" && attributes[name];
    // Published SDKs write the id into `data-client-id`.
    options["websiteId"] ||= options["clientId"];
    // Attributes are text: values that an option does not have count as its default.
    const tracker = createTracker(options as unknown as TrackerOptions, extension);
    window.lookout = tracker;
    if (attributes["clientId"]) Object.assign(window, { databuddy: tracker });
    for (const [name, ...args] of early?.q || []) (tracker[name] as (...args: unknown[]) => void)(...args);
  }
}
