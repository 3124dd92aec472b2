import type { TrackerOptions } from "./options.ts";

/** Origins of this computer; a page from a file has the origin `null`. */
const herePattern = /^null|\/\/(localhost|127\.|\[::1)/;

/** False without a website id, or when the browser, the visitor or the location says not to track. */
export function mayTrack({ websiteId, apiUrl, dnt, localhost }: TrackerOptions): boolean {
  if (!websiteId || !apiUrl) {
    console.warn("Lookout: no website id");
    return false;
  }
  const browser: Navigator & { globalPrivacyControl?: boolean } = navigator;
  if (dnt !== false && (browser.doNotTrack === "1" || browser.globalPrivacyControl)) return false;
  // A developer who tries Lookout locally should see something; one who works on a live site should not be counted.
  return localhost ?? (!herePattern.test(location.origin) || herePattern.test(apiUrl));
}
