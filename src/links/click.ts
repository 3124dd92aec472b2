import type { RowOf } from "../store/tables.ts";

/** A click as it is kept until it is stored: without names, which would be most of what a redirect waits for. */
export type Click = readonly [
  /** Unix ms */
  timeMs: number,
  eventKey: number,
  visitorKey: number,
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

export function clickRow([
  timeMs,
  eventKey,
  visitorKey,
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
    tsUs: timeMs * 1_000,
    values: {
      organization_id: organizationId,
      website_id: websiteId ?? undefined,
      link_id: linkId,
      event_key: eventKey,
      visitor_key: visitorKey,
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
