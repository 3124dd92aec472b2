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

/** False without a website id, or when the browser, the visitor or the location says not to track. */
export function mayTrack({ websiteId, apiUrl, dnt, localhost }: TrackerOptions): boolean | undefined {
  if (!websiteId) return warn();
  if (dnt !== false && (navigator.globalPrivacyControl || navigator.doNotTrack === "1")) return false;
  // A developer who tries Lookout locally should see something; one who works on a live site should not be counted.
  return localhost ?? (!herePattern.test(location.origin) || herePattern.test(apiUrl));
}
