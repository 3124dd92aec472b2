import type { QueryAnswer, UnknownTime } from "../../../../../packages/client-js/src/query.ts";
import { addDays, localTime } from "../../figures/days.ts";
import { keptSince } from "../../figures/unknownTimes.ts";

/** The days whose visitors a tile shows, today included: whole weeks, which are compared with as many weeks before. */
export const homeDays = 28;

/** The figures of a website as its tile shows them. Null is what is not known. */
export type SiteFigures = {
  readonly visitors: number | null;
  /** The visitors of the weeks before; null where the two may not be compared. */
  readonly before: number | null;
  /** The time of the weeks before. */
  readonly compared: { readonly from: string; readonly until: string } | undefined;
  /** Visitors of each day that is over. */
  readonly days: readonly (number | null)[];
  /** The first day with figures, if it is among those that are shown or compared. */
  readonly since: string | undefined;
  /** Whether there was no event yet. */
  readonly isEmpty: boolean;
  /** Visitors of the last 5 minutes. */
  readonly now: number | null;
  /** The first goal; undefined without one. */
  readonly goal: { readonly name: string; readonly rate: number | null } | undefined;
  /** Good checks of all monitors, percent; null without checks. */
  readonly uptimePercent: number | null;
};

const parameters = [
  "summary_metrics",
  { name: "visitors", granularity: "daily" },
  "goal_conversions",
  "active_stats",
  "uptime_overview",
] as const;

export type SiteAnswer = Pick<QueryAnswer<typeof parameters>, "data" | "unknown">;

/** Everything that a tile shows but the state of the monitors, in one question. */
export function siteQuestion({ id, timezone }: { readonly id: string; readonly timezone: string }, nowMs: number) {
  const today = localTime(timezone, nowMs).day;
  return {
    websiteId: id,
    timezone,
    startDate: addDays(today, 1 - homeDays),
    endDate: today,
    compare: "weekdays",
    parameters,
  } as const;
}

/** Reads the answer. Undefined if the visitors could not be counted; any other figure that could not be is unknown. */
export function siteFigures({ data, unknown }: SiteAnswer, timezone: string, nowMs: number): SiteFigures | undefined {
  const [summary, series, goals, active, uptime] = data;
  if (!summary.success) return undefined;
  const { comparison } = summary;
  const visitors = summary.data[0]?.unique_visitors ?? null;
  const times = [...(comparison?.unknown ?? []), ...unknown];
  const goal = goals.success ? goals.data[0] : undefined;
  const isComparable = comparison?.isComplete === true && visitors !== null;
  return {
    visitors,
    before: isComparable ? (comparison.data[0]?.unique_visitors ?? null) : null,
    compared: comparison === null ? undefined : { from: comparison.from, until: comparison.until },
    // The running day would look like a fall.
    days: series.success ? series.data.slice(0, -1).map(({ value }) => value) : [],
    since: isComparable ? undefined : keptSince(times, nowMs, timezone),
    isEmpty: visitors === null && isNotStarted(unknown),
    now: active.success ? (active.data[0]?.active_users ?? null) : null,
    goal: goal === undefined ? undefined : { name: goal.goal, rate: goal.conversion_rate },
    uptimePercent: uptime.success ? (uptime.data[0]?.uptime_percentage ?? null) : null,
  };
}

function isNotStarted(unknown: readonly UnknownTime[]): boolean {
  return unknown.length > 0 && unknown.every(({ reason }) => reason === "not_started");
}
