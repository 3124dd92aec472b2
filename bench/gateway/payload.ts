/** The website of the benchmark; its store is a stub. */
export const websiteId = "3f2b6c1e-8a4d-4c57-9b1f-2d7e5a9c0b11";

/** A page view with every field of specification part 6, about 660 bytes of JSON. */
function pageView(index: number) {
  return {
    type: "track",
    payload: {
      eventId: `evt_${String(index).padStart(12, "0")}`,
      name: "page_view",
      anonymousId: `anon_7b1c9e2f4a6d8b0c${index % 97}`,
      sessionId: `sess_1f3e5d7c9b${index % 31}`,
      sessionStartTime: 1_736_899_200_000 + index,
      timestamp: 1_736_899_260_123 + index,
      path: "/products/category/widgets",
      title: "Widgets, an example",
      referrer: "https://www.google.com/",
      screen_resolution: "1920x1080",
      viewport_size: "1440x900",
      timezone: "Europe/Berlin",
      language: "en-US",
      connection_type: "wifi",
      rtt: 50,
      downlink: 10.5,
      utm_source: "newsletter",
      utm_medium: "email",
      utm_campaign: "spring",
      load_time: 1234.5,
      dom_ready_time: 800,
      ttfb: 120,
      time_on_page: 45.2,
      scroll_depth: 75,
      interaction_count: 12,
      page_count: 3,
    },
  };
}

export type PageView = ReturnType<typeof pageView>;

export function batchOf(count: number): PageView[] {
  return Array.from({ length: count }, (_, index) => pageView(index));
}

/** No share of it lies halfway between two rounded percentages. */
const total = 1_000_003;

/** Rows as the event store answers the statement of top_pages: path, two measures, and the total that shares are taken of. */
export function storedPages(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    k0: `/products/item-${index}`,
    m0: 1_000 + index,
    m1: 400 + (index % 77),
    total,
  }));
}

/** The same rows as the answer holds them. */
export function answeredPages(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    path: `/products/item-${index}`,
    name: `/products/item-${index}`,
    views: 1_000 + index,
    pageviews: 1_000 + index,
    visitors: 400 + (index % 77),
    percentage: Math.round(((1_000 + index) / total) * 10_000) / 100,
  }));
}

export function queryOf(count: number) {
  return { parameters: ["top_pages"], preset: "last_7d", limit: count };
}
