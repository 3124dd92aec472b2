import { grouped, measured, type QueryType, share, tableLimit } from "./queryType.ts";

// Names of custom events and addresses of links may reveal details about a business or a person, so no public dashboard
// shows them.
const eventTable = {
  category: "custom-events",
  isPublic: false,
  table: "events",
  only: "custom",
  defaultLimit: tableLimit,
} as const;
const linkTable = { category: "links", isPublic: false, table: "outgoing_links", defaultLimit: tableLimit } as const;

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
  {
    ...eventTable,
    name: "events",
    title: "Events",
    description: "Custom events by name, most frequent first.",
    shape: { kind: "table", dimensions: ["event_name"] },
    fields: customEventFields,
  },
  {
    ...eventTable,
    name: "custom_events",
    title: "Custom events",
    description: "The same as events.",
    shape: { kind: "table", dimensions: ["event_name"] },
    fields: customEventFields,
  },
  {
    ...eventTable,
    name: "custom_events_by_path",
    title: "Custom events by page",
    description: "Custom events by the path they happened on, most events first.",
    shape: { kind: "table", dimensions: ["path"] },
    fields: [
      grouped("name", "Page"),
      measured("custom_events", "total_events"),
      measured("event_names", "unique_event_types"),
      measured("visitors", "unique_users"),
      share("custom_events"),
    ],
  },
  {
    ...linkTable,
    name: "outbound_links",
    title: "Outgoing links",
    description: "Clicks on links that leave the site, by address and text, most clicked first.",
    shape: { kind: "table", dimensions: ["href", "text"] },
    fields: outboundLinkFields,
  },
  {
    ...linkTable,
    name: "outgoing_links",
    title: "Outgoing links",
    description: "The same as outbound_links.",
    shape: { kind: "table", dimensions: ["href", "text"] },
    fields: outboundLinkFields,
  },
  {
    ...linkTable,
    name: "outbound_domains",
    title: "Outgoing domains",
    description: "Clicks on links that leave the site, by domain, most clicked first.",
    shape: { kind: "table", dimensions: ["domain"] },
    fields: [
      grouped("domain", "Domain"),
      measured("clicks", "total_clicks"),
      measured("click_visitors", "unique_users"),
      measured("click_targets", "unique_links"),
      share("clicks"),
    ],
  },
];
