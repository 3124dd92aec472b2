import { type Group, table } from "./define.ts";
import { grouped, measured, type QueryType, share } from "./queryType.ts";

// Names of custom events and addresses of links may reveal details about a business or a person, so no public dashboard
// shows them.
const custom = { category: "custom-events", isPublic: false, table: "events", only: "custom" } as const satisfies Group;
const links = { category: "links", isPublic: false, table: "outgoing_links" } as const satisfies Group;

const customEventFields = [
  grouped("name", "Event name"),
  measured("custom_events", "total_events"),
  measured("custom_events", "count"),
  measured("visitors"),
  measured("visitors", "unique_users"),
  measured("active_sessions", "unique_sessions"),
  measured("first_seen", "first_occurrence"),
  measured("last_seen", "last_occurrence"),
  measured("events_with_properties"),
  share("custom_events"),
];

const outboundLinkFields = [
  grouped("href", "Link", 0),
  grouped("text", "Text", 1),
  measured("clicks", "total_clicks"),
  measured("click_visitors", "unique_users"),
  measured("click_sessions", "unique_sessions"),
  measured("last_click", "last_clicked"),
  share("clicks"),
];

/** Figures of custom events and of links that leave the site. */
export const eventTypes: readonly QueryType[] = [
  table(custom, "events", "Events", "Custom events by name, most frequent first.", ["event_name"], customEventFields),
  table(custom, "custom_events", "Custom events", "The same as events.", ["event_name"], customEventFields),
  table(
    custom,
    "custom_events_by_path",
    "Custom events by page",
    "Custom events by the path they happened on, most events first.",
    ["path"],
    [
      grouped("name", "Page"),
      measured("custom_events", "total_events"),
      measured("event_names", "unique_event_types"),
      measured("visitors", "unique_users"),
      share("custom_events"),
    ],
  ),
  table(
    links,
    "outbound_links",
    "Outgoing links",
    "Clicks on links that leave the site, by address and text, most clicked first.",
    ["href", "text"],
    outboundLinkFields,
  ),
  table(links, "outgoing_links", "Outgoing links", "The same as outbound_links.", ["href", "text"], outboundLinkFields),
  table(
    links,
    "outbound_domains",
    "Outgoing domains",
    "Clicks on links that leave the site, by domain, most clicked first.",
    ["domain"],
    [
      grouped("domain", "Domain"),
      measured("clicks", "total_clicks"),
      measured("click_visitors", "unique_users"),
      measured("click_targets", "unique_links"),
      share("clicks"),
    ],
  ),
];
