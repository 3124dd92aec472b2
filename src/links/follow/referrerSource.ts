import { readReferrer } from "../../visitors/pageAddress.ts";

/** The host that the visitor came from, never the page. */
export function sourceOf(referrer: string | undefined): string | undefined {
  return referrer === undefined ? undefined : readReferrer(referrer, "").source.slice(0, maxHostLength) || undefined;
}

/** RFC 1035, section 2.3.4 */
const maxHostLength = 255;
