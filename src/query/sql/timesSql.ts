import type { TimeRange } from "../request/dates.ts";

/** QuestDB 9.3.4 takes 1,024 intervals. */
export const mostTimes = 1_000;

/**
 * A condition that holds at these times and somewhat more, to a second each, which QuestDB looks up instead of reading what lies between
 * them (its TICK syntax for intervals). There are at most `mostTimes`, in order.
 */
export function timesSql(times: readonly TimeRange[]): string {
  const intervals = times.map(({ startMs, endMs }) => {
    const seconds = Math.ceil((endMs - startMs) / 1_000);
    return `${new Date(startMs).toISOString().slice(0, -1)};${seconds}s`;
  });
  return `ts IN '[${intervals.join(",")}]'`;
}
