import { type OwnRange, presets, type Range } from "../../../figures/range.ts";
import { type Comparison, comparisons } from "./comparison.ts";
import { isSameFilter, readFilter, type ViewFilter, writeFilter } from "./filter.ts";
import { readGoal, type Step, writeGoal } from "./goal.ts";

export const granularities = ["hourly", "daily", "weekly", "monthly"] as const;

export type Granularity = (typeof granularities)[number];

export const metrics = [
  "visitors",
  "sessions",
  "pageviews",
  "pages_per_session",
  "bounce_rate",
  "median_session_duration",
] as const;

/** What the chart draws: fields of the rows of `events_by_date`. */
export type Metric = (typeof metrics)[number];

/** What the dashboard shows. All of it is in the address, so that it can be shared and the back button undoes it. */
export type View = {
  readonly range: Range;
  /** Undefined: what suits the range. */
  readonly compare: Comparison | undefined;
  /** Undefined: what suits the range. */
  readonly granularity: Granularity | undefined;
  readonly metric: Metric;
  readonly filters: readonly ViewFilter[];
  /** The goal that lists of sources, places and devices show the conversions of. */
  readonly goal: Step | undefined;
  /** The saved filters that were chosen, by their id. The filters themselves are in the view, so it stays the same without them. */
  readonly segment: string | undefined;
};

/** Whole weeks, so that they are compared with as many weekends. */
export const standardView: View = {
  range: { preset: "last_28d" },
  compare: undefined,
  granularity: undefined,
  metric: "visitors",
  filters: [],
  goal: undefined,
  segment: undefined,
};

/** Reads the parameters of an address. What is missing or makes no sense is as usual. */
export function readView(query: URLSearchParams): View {
  const preset = oneOf(presets, query.get("range"));
  const filters = query.getAll("filter").flatMap(readFilter);
  return {
    range: preset !== undefined ? { preset } : (ownRange(query.get("from"), query.get("to")) ?? standardView.range),
    compare: readComparison(query.get("compare")),
    granularity: oneOf(granularities, query.get("by")),
    metric: oneOf(metrics, query.get("metric")) ?? standardView.metric,
    filters,
    goal: readGoal(query.get("goal")),
    segment: filters.length === 0 ? undefined : query.get("segment") || undefined,
  };
}

/** The parameters of a view, without defaults. */
export function writeView(view: View): URLSearchParams {
  const query = new URLSearchParams();
  const { range, compare, granularity, metric, filters, goal, segment } = view;
  if ("from" in range) {
    query.set("from", range.from);
    query.set("to", range.to);
  } else if (!("preset" in standardView.range) || range.preset !== standardView.range.preset)
    query.set("range", range.preset);
  if (compare !== undefined)
    query.set("compare", typeof compare === "string" ? compare : `${compare.from}..${compare.to}`);
  if (granularity !== undefined) query.set("by", granularity);
  if (metric !== standardView.metric) query.set("metric", metric);
  if (goal !== undefined) query.set("goal", writeGoal(goal));
  for (const filter of filters) query.append("filter", writeFilter(filter));
  if (segment !== undefined && filters.length > 0) query.set("segment", segment);
  return query;
}

/** The view with additional filters. Filters that it already has keep their place. */
export function withFilters(view: View, filters: readonly ViewFilter[]): View {
  return { ...view, filters: withoutRepetition([...view.filters, ...filters]) };
}

/** The view with a filter in the place of another one. */
export function withChangedFilter(view: View, index: number, filter: ViewFilter): View {
  return { ...view, filters: withoutRepetition(view.filters.with(index, filter)) };
}

export function withoutFilter(view: View, index: number): View {
  return { ...view, filters: view.filters.filter((_, at) => at !== index) };
}

function withoutRepetition(all: readonly ViewFilter[]): ViewFilter[] {
  return all.filter((filter, index) => all.findIndex((other) => isSameFilter(filter, other)) === index);
}

/** A name, or `first..last`. */
function readComparison(text: string | null): Comparison | undefined {
  const [from, to] = (text ?? "").split("..");
  return oneOf(comparisons, text) ?? ownRange(from, to);
}

function ownRange(from: string | null | undefined, to: string | null | undefined): OwnRange | undefined {
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined;
}

function oneOf<const T extends string>(names: readonly T[], given: string | null): T | undefined {
  return names.find((name) => name === given);
}

function isDay(text: string | null | undefined): text is string {
  if (typeof text !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
