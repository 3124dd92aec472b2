import type { Extension, Item, Report, Tracker, TrackerOptions } from "./options.js";
export type { Extension, Item, Report, Tracker, TrackerOptions };
/**
 * Tracks the page it is called in. Call it once, in the browser.
 *
 * Sends events in the flat form to POST /batch (specification 4.20): `page_view` with the facts of the visit, `page_exit` with the
 * visible time in seconds and the scroll depth in percent, custom events and outgoing links.
 */
export declare function createTracker(options: TrackerOptions, extension?: Extension): Tracker;
