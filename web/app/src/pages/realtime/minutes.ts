import type { RealtimeVelocityRow } from "../../../../../packages/client-js/src/rows.ts";

/** A minute as a bar: its parts as shares of the highest bar. */
export type MinuteBar = {
  /** As the website's clock shows it. */
  readonly minute: string;
  readonly views: number;
  /** Custom events. */
  readonly events: number;
  readonly visitors: number;
  readonly viewShare: number;
  readonly eventShare: number;
  /** Whether it is not over. */
  readonly isRunning: boolean;
};

/** The bars of a series of minutes, whose last one is running. `events` counts page views too. */
export function minuteBars(rows: readonly RealtimeVelocityRow[]): MinuteBar[] {
  const highest = highestMinute(rows) || 1;
  return rows.map(({ minute, pageviews, events, visitors }, index) => ({
    minute,
    views: pageviews,
    events: events - pageviews,
    visitors,
    viewShare: pageviews / highest,
    eventShare: (events - pageviews) / highest,
    isRunning: index === rows.length - 1,
  }));
}

export function highestMinute(rows: readonly RealtimeVelocityRow[]): number {
  return Math.max(0, ...rows.map(({ events }) => events));
}

/** Page views and custom events of all minutes: what the bars show is what the totals say. */
export function totalsOf(bars: readonly MinuteBar[]): { readonly views: number; readonly events: number } {
  return {
    views: bars.reduce((sum, { views }) => sum + views, 0),
    events: bars.reduce((sum, { events }) => sum + events, 0),
  };
}
