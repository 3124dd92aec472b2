import type { TrackerOptions } from "./options.ts";
import { warn } from "./warn.ts";

declare global {
  interface Navigator {
    /** Global Privacy Control (https://www.w3.org/TR/gpc/). */
    globalPrivacyControl?: boolean;
  }
}

/** Origins of this computer; a page from a file has the origin `null`. */
const herePattern = /^null|\/\/(localhost|127\.|\[::1)/;

/** In the website's own storage; nothing else is stored for a visitor who objects. */
type Objection = { lookoutOff?: string; lookout?: string };

/** Whether the visitor objected to being counted here. False where the browser blocks storage. */
export const isOptedOut = (): boolean => {
  try {
    return !!(localStorage as Objection).lookoutOff;
  } catch {
    return false;
  }
};

/** Notes that the visitor objects, and forgets the visit; or takes the objection back. */
export const setOptOut = (isOut: boolean): void => {
  try {
    const storage = localStorage as Objection;
    delete storage.lookout;
    if (isOut) storage.lookoutOff = "1";
    else delete storage.lookoutOff;
  } catch {}
};

/**
 * A link to a page with `?lookout-opt-out=<website id>` is for the owner's own devices. It works on this origin and for this website only, and whoever opens it
 * is asked, so that a stranger's link takes nobody out of the figures unnoticed.
 */
const takesOptOut = (websiteId: string): boolean =>
  location.search.includes(`lookout-opt-out=${websiteId}`) && confirm("Do not count visits of this browser here?");

/** False without a website id, or when the browser, the visitor or the location says not to track. */
export function mayTrack({ websiteId, apiUrl, dnt, localhost }: TrackerOptions): boolean | undefined {
  if (!websiteId) return warn("the script tag has no data-website-id");
  if (!isOptedOut() && takesOptOut(websiteId)) setOptOut(true);
  if (isOptedOut()) return false;
  if (dnt !== false && (navigator.globalPrivacyControl || navigator.doNotTrack === "1")) return false;
  // A developer who tries Lookout locally should see something; one who works on a live site should not be counted.
  return localhost ?? (!herePattern.test(location.origin) || herePattern.test(apiUrl));
}
