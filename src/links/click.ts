import type { RowOf } from "../store/tables.ts";

/**
 * A click as it is kept until it is stored: without names, which would be most of what a redirect waits for, and its large numbers in halves of
 * which none is over 32 bits, since JavaScript writes a larger one in several times the time.
 */
export type Click = readonly [
  /** Unix time in seconds, and the milliseconds of the second. */
  seconds: number,
  milliseconds: number,
  eventKeyHigh: number,
  eventKeyLow: number,
  visitorKeyHigh: number,
  visitorKeyLow: number,
  organizationId: string,
  linkId: string,
  websiteId: Text,
  country: Text,
  region: Text,
  city: Text,
  browser: Text,
  os: Text,
  device: Text,
  language: Text,
  referrerSource: Text,
  targetWebsiteId: Text,
  targetPath: Text,
];

/** Null where it was read from JSON. */
type Text = string | null | undefined;

export type ClickRow = RowOf<"link_clicks">;

/** The upper 26 bits of a key of 52. */
export function highOf(key: number): number {
  return (key / halfKey) | 0;
}

/** The lower 26 bits of a key of 52. */
export function lowOf(key: number): number {
  return (key - highOf(key) * halfKey) | 0;
}

const halfKey = 2 ** 26;

export function clickRow([
  seconds,
  milliseconds,
  eventKeyHigh,
  eventKeyLow,
  visitorKeyHigh,
  visitorKeyLow,
  organizationId,
  linkId,
  websiteId,
  country,
  region,
  city,
  browser,
  os,
  device,
  language,
  referrerSource,
  targetWebsiteId,
  targetPath,
]: Click): ClickRow {
  return {
    table: "link_clicks",
    tsUs: (seconds * 1_000 + milliseconds) * 1_000,
    values: {
      organization_id: organizationId,
      website_id: websiteId ?? undefined,
      link_id: linkId,
      event_key: eventKeyHigh * halfKey + eventKeyLow,
      visitor_key: visitorKeyHigh * halfKey + visitorKeyLow,
      country: country ?? undefined,
      region: region ?? undefined,
      city: city ?? undefined,
      browser: browser ?? undefined,
      os: os ?? undefined,
      device: device ?? undefined,
      language: language ?? undefined,
      referrer_source: referrerSource ?? undefined,
      target_website_id: targetWebsiteId ?? undefined,
      target_path: targetPath ?? undefined,
    },
  };
}
