/** A page view with every field that specification part 6 requires and common optional ones; timings only on request: each adds a row. */
export function pageView(event: {
  eventId?: string | undefined;
  timestamp: number;
  visitor?: number;
  loadTime?: number;
}) {
  const { eventId, timestamp, visitor = 0, loadTime } = event;
  return {
    type: "track",
    payload: {
      eventId,
      name: "page_view",
      anonymousId: `anon_7b1c9e2f4a6d8b0c${visitor}`,
      sessionId: `sess_1f3e5d7c9b${visitor}`,
      sessionStartTime: timestamp - 1_000,
      timestamp,
      path: `/products/category/widgets-${visitor}`,
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
      load_time: loadTime,
      time_on_page: 45.2,
      scroll_depth: 75,
      interaction_count: 12,
      page_count: 3,
    },
  };
}
