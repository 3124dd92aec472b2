import type { TimeRange } from "../../time/dates.ts";

/** QuestDB 9.3.4 accepts 1,024 intervals. */
export const maxTimes = 1_000;

/**
 * A condition for these ranges, rounded out to seconds, which QuestDB looks up instead of reading what is between them
 * (its TICK syntax for intervals). At most `maxTimes`, sorted.
 */
export function timesSql(times: readonly TimeRange[]): string {
  const intervals = times.map(({ startMs, endMs }) => {
    const seconds = Math.ceil((endMs - startMs) / 1_000);
    return `${new Date(startMs).toISOString().slice(0, -1)};${seconds}s`;
  });
  return `ts IN '[${intervals.join(",")}]'`;
}
