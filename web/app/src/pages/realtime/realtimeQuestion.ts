/**
 * All that the page shows is one question, so that its figures are of the same moment. The service knows the times of these types: the last
 * 5 minutes, and the last 30 by whole minutes.
 */
export function realtimeQuestion(websiteId: string, timezone: string) {
  return { websiteId, timezone, preset: "today", parameters: realtimeParameters } as const;
}

/** Rows of each list. */
export const mostEvents = 50;

const realtimeParameters = [
  "active_stats",
  "realtime_recent_stats",
  "realtime_velocity",
  "realtime_recent_pages",
  "realtime_recent_referrers",
  "realtime_recent_countries",
  "realtime_recent_devices",
  { name: "realtime_recent_events", limit: mostEvents },
] as const;

export type RealtimeParameters = typeof realtimeParameters;
