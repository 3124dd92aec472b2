import type { RealtimeRecentEventsRow } from "../../../../../packages/client-js/src/rows.ts";

export type KeyedEvent = RealtimeRecentEventsRow & { readonly key: string };

/**
 * The events with keys that stay the same when newer ones arrive. Events have no ids here, so that the list names no visitor; equal ones are
 * counted from the oldest.
 */
export function withKeys(events: readonly RealtimeRecentEventsRow[]): KeyedEvent[] {
  const counts = new Map<string, number>();
  return events
    .toReversed()
    .map((event) => {
      const name = JSON.stringify([event.timestamp, event.event_name, event.path, event.country, event.device_type]);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return { ...event, key: `${name} ${count}` };
    })
    .toReversed();
}
