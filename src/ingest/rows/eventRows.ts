import type { EveryColumn, RowOf, TableRow } from "../../store/questdb/tables.ts";
import type { IngestEvent } from "../event.ts";
import { type Figure, performanceRows } from "./performanceRows.ts";

/** The rows of an event that went through all steps: itself, and one for each performance figure it carries. */
export function rowsOf(event: IngestEvent, websiteId: string): TableRow[] {
  const tsUs = Math.trunc(event.atMs ?? 0) * 1_000;
  if (event.type === "outgoing_link") return [linkRow(event, websiteId, tsUs)];
  return [eventRow(event, websiteId, tsUs), ...performanceRows(figuresOf(event), event, websiteId)];
}

function eventRow(event: IngestEvent, websiteId: string, tsUs: number): RowOf<"events"> {
  return {
    table: "events",
    tsUs,
    values: {
      website_id: websiteId,
      event_key: event.eventKey,
      event_type: event.kind,
      name: event.name,
      visitor_key: event.visitorKey,
      session_key: event.sessionKey,
      event_id: event.eventId,
      anonymous_id: event.anonymousId,
      session_id: event.sessionId,
      path: event.path,
      title: event.title,
      referrer: event.referrer,
      referrer_source: event.referrerSource,
      referrer_group: event.referrerGroup,
      screen: event.screen,
      viewport: event.viewport,
      language: event.language,
      timezone: event.timezone,
      country: event.country,
      region: event.region,
      city: event.city,
      browser: event.browser,
      browser_version: event.browserVersion,
      os: event.os,
      os_version: event.osVersion,
      device: event.device,
      connection: event.connection,
      rtt_ms: event.rttMs,
      downlink_mbps: event.downlinkMbps,
      // LinkedIn and linkedin are one source.
      utm_source: event.utmSource?.toLowerCase(),
      utm_medium: event.utmMedium?.toLowerCase(),
      utm_campaign: event.utmCampaign,
      utm_term: event.utmTerm,
      utm_content: event.utmContent,
      time_on_page_ms: event.timeOnPageMs,
      scroll_depth_percent: event.scrollDepthPercent,
      interaction_count: event.interactionCount,
      page_count: event.pageCount,
      properties: event.propertiesText,
      click_visitor_key: event.clickVisitorKey,
    } satisfies EveryColumn<"events">,
  };
}

function linkRow(event: IngestEvent, websiteId: string, tsUs: number): RowOf<"outgoing_links"> {
  return {
    table: "outgoing_links",
    tsUs,
    values: {
      website_id: websiteId,
      event_key: event.eventKey,
      visitor_key: event.visitorKey,
      session_key: event.sessionKey,
      event_id: event.eventId,
      anonymous_id: event.anonymousId,
      session_id: event.sessionId,
      path: event.path,
      href: event.href,
      text: event.text,
      properties: event.propertiesText,
    } satisfies EveryColumn<"outgoing_links">,
  };
}

function figuresOf(event: IngestEvent): Figure[] {
  return [
    ["load_time", event.loadTimeMs],
    ["dom_ready_time", event.domReadyTimeMs],
    ["TTFB", event.ttfbMs],
  ];
}
