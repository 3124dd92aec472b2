import type { Filter } from "../../../../../../packages/client-js/src/query.ts";
import type { DatePreset } from "../../../../../../packages/client-js/src/rows.ts";
import { readGoal, type Step, writeGoal } from "./goal.ts";

/** The named ranges; the service determines their days. */
export const presets = [
  "today",
  "yesterday",
  "last_7d",
  "last_30d",
  "last_90d",
  "this_month",
  "last_month",
  "this_year",
] as const satisfies readonly DatePreset[];

export type Preset = (typeof presets)[number];

export type Range = { readonly preset: Preset } | { readonly from: string; readonly to: string };

export const comparisons = ["previous", "weekdays", "year", "none"] as const;

export type Comparison = (typeof comparisons)[number];

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
  /** Undefined: hours for up to two days, else days. */
  readonly granularity: "hourly" | "daily" | undefined;
  readonly metric: Metric;
  readonly filters: readonly TextFilter[];
  /** The goal that lists of sources, places and devices show the conversions of. */
  readonly goal: Step | undefined;
};

/** A filter on one text. */
export type TextFilter = Filter & { readonly value: string };

export const standardView: View = {
  range: { preset: "last_30d" },
  compare: undefined,
  granularity: undefined,
  metric: "visitors",
  filters: [],
  goal: undefined,
};

/** Ranges with a neighbour of the same name: the day, month or year before. */
const named: ReadonlySet<string> = new Set(["today", "yesterday", "this_month", "last_month", "this_year"]);

/**
 * What a view compares with. Other ranges than a day, a month or a year are compared with the same days of the week, which differ more from each
 * other than weeks do.
 */
export function comparisonIn({ compare, range }: Pick<View, "compare" | "range">): Comparison {
  return compare ?? ("preset" in range && named.has(range.preset) ? "previous" : "weekdays");
}

/** Reads the parameters of an address. What is missing or makes no sense is as usual. */
export function readView(query: URLSearchParams): View {
  const preset = oneOf(presets, query.get("range"));
  const from = query.get("from") ?? "";
  const to = query.get("to") ?? "";
  const isCustom = isDay(from) && isDay(to) && from <= to;
  return {
    range: preset !== undefined ? { preset } : isCustom ? { from, to } : standardView.range,
    compare: oneOf(comparisons, query.get("compare")),
    granularity: oneOf(["hourly", "daily"] as const, query.get("by")),
    metric: oneOf(metrics, query.get("metric")) ?? standardView.metric,
    filters: query.getAll("filter").flatMap(readFilter),
    goal: readGoal(query.get("goal")),
  };
}

/** The parameters of a view, without defaults. */
export function writeView(view: View): URLSearchParams {
  const query = new URLSearchParams();
  const { range, compare, granularity, metric, filters, goal } = view;
  if ("from" in range) {
    query.set("from", range.from);
    query.set("to", range.to);
  } else if (!("preset" in standardView.range) || range.preset !== standardView.range.preset)
    query.set("range", range.preset);
  if (compare !== undefined) query.set("compare", compare);
  if (granularity !== undefined) query.set("by", granularity);
  if (metric !== standardView.metric) query.set("metric", metric);
  if (goal !== undefined) query.set("goal", writeGoal(goal));
  for (const { field, op, value } of filters) query.append("filter", `${field}:${op}:${value}`);
  return query;
}

/** The view with additional filters. Filters that it already has keep their place. */
export function withFilters(view: View, filters: readonly TextFilter[]): View {
  const all = [...view.filters, ...filters];
  return { ...view, filters: all.filter((filter, index) => all.findIndex((other) => isSame(filter, other)) === index) };
}

function isSame(one: TextFilter, other: TextFilter): boolean {
  return one.field === other.field && one.op === other.op && one.value === other.value;
}

export function withoutFilter(view: View, index: number): View {
  return { ...view, filters: view.filters.filter((_, at) => at !== index) };
}

const operators = ["eq", "ne", "contains", "not_contains", "starts_with", "ends_with", "matches"] as const;

/** `field:operator:value`; the value may contain colons. */
function readFilter(text: string): TextFilter[] {
  const [, field = "", given = "", value = ""] = /^([^:]+):([^:]+):(.*)$/s.exec(text) ?? [];
  const op = oneOf(operators, given);
  return field === "" || op === undefined ? [] : [{ field, op, value }];
}

function oneOf<const T extends string>(names: readonly T[], given: string | null): T | undefined {
  return names.find((name) => name === given);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
