import type { BucketUnit } from "../sql/buckets.ts";
import type { ColumnFormat } from "../sql/columnValue.ts";
import type { FactTable, FieldName } from "../sql/fields.ts";
import { type Measure, type MeasureName, measureOf, type RowKind } from "../sql/measures.ts";
import type { FixedPeriod } from "./fixedPeriod.ts";

/**
 * Which pages a table of visits lists: viewed ones, or those with visits that reported this figure. Pages with most of
 * them come first.
 */
export type VisitFigure = "pageviews" | "time" | "scroll";

/**
 * What is shown about the properties of custom events: their values, how many there are, their kind, or which events
 * have which.
 */
export type PropertyFigure = "values" | "cardinality" | "classification" | "top_values" | "distribution" | "discovery";

/** One query type as data: its name, who may use it, and how its rows are computed. */
export type QueryType = {
  readonly name: string;
  readonly title: string;
  /** What it counts and how, for people who choose a type. */
  readonly description: string;
  readonly category: Category;
  /** Whether anyone may query it on a public website. */
  readonly isPublic: boolean;
  /** The table whose fields its filters use. */
  readonly table: FactTable;
  /** Counts only these rows. */
  readonly only?: RowKind;
  /** The fixed range, if it does not depend on the request. */
  readonly period?: FixedPeriod;
  /** The fixed bucket size, whatever granularity is requested. */
  readonly bucketUnit?: BucketUnit;
  readonly shape: Shape;
  readonly fields: readonly OutputField[];
  /** The number of rows without a limit in the query. */
  readonly defaultLimit: number;
  /** Filters that only this type has, in addition to those of its table. */
  readonly ownFilters?: readonly string[];
  /** A filter that the query must have, with exact values. */
  readonly requiredFilter?: string;
};

/** What a type counts: rows of a table, by fields. */
export type CountedType = Pick<QueryType, "name" | "table" | "only" | "shape">;

export type Category =
  | "summary"
  | "pages"
  | "traffic"
  | "goals"
  | "devices"
  | "geo"
  | "sessions"
  | "custom-events"
  | "links"
  | "vitals"
  | "errors"
  | "profiles"
  | "engagement"
  | "performance"
  | "realtime"
  | "llm-analytics"
  | "uptime";

/**
 * summary: one row; series: a row for each bucket of time; table: a row for each combination of the dimensions' values; split_series: a
 * row for each bucket and value of the dimension that occurs in the range, the most frequent ones if there are many; list: the rows
 * themselves, newest first; tool_names: a row for each tool that language models used; live_sessions: a row for each session. The
 * others are answered by the files of their names.
 */
export type Shape =
  | { readonly kind: "summary" }
  | { readonly kind: "series" }
  | { readonly kind: "split_series"; readonly dimension: FieldName }
  | {
      readonly kind: "list";
      /** Columns to sort by before the time, largest first. */
      readonly largestFirst?: readonly string[];
      /** Columns that order rows with the same time; `event_key` by default. */
      readonly key?: readonly string[];
    }
  | { readonly kind: "event_list" }
  | { readonly kind: "goal_conversions" }
  | { readonly kind: "tool_names" }
  | { readonly kind: "live_sessions" }
  | { readonly kind: "session_durations" }
  | { readonly kind: "session_list" }
  | { readonly kind: "profile_list" }
  | { readonly kind: "profile_detail" }
  | { readonly kind: "page_visits"; readonly figure: VisitFigure }
  | { readonly kind: "engagement" }
  | { readonly kind: "scroll_depths" }
  | { readonly kind: "retention_cohorts" }
  | { readonly kind: "retention_rate" }
  | { readonly kind: "websites_today" }
  | { readonly kind: "websites_trend" }
  | { readonly kind: "websites_uptime" }
  | { readonly kind: "event_properties"; readonly figure: PropertyFigure }
  | {
      readonly kind: "table";
      readonly dimensions: readonly FieldName[];
      /** Leaves out rows without a value of the first dimension. */
      readonly withoutValue?: "none";
      /** The measure to sort by before the usual order by counts, largest first. */
      readonly largestFirst?: MeasureName;
    };

/**
 * A field of the rows and its source. `share` is the percentage of a measure in the sum of all rows, including other
 * pages; `column` a column of the result, in shapes without measures; `dimensions` several values as one text; `ratio`
 * the first measure as a percentage of the second, at most 100; `notKept` always null, because it is not stored; `goal` a
 * figure of a goal.
 */
export type OutputField = {
  readonly name: string;
  readonly label: string;
  readonly type: "string" | "number" | "boolean" | "object" | "array";
  readonly unit?: string;
  readonly from:
    | { bucket: true }
    | { dimension: number }
    | { dimensions: readonly number[] }
    | { ratio: readonly [part: MeasureName, whole: MeasureName] }
    | { notKept: true }
    | { goal: GoalFigure }
    | { measure: MeasureName }
    | { share: MeasureName }
    | { column: string; format: ColumnFormat };
};

/**
 * Visitors, how many of them reached a goal, what part that is, how often the goal was reached, and what that is worth.
 */
export type GoalFigure = "visitors" | "conversions" | "rate" | "completions" | "revenue";

/** The contract's default limit (specification part 8); series return every bucket unless a limit is sent. */
export const tableLimit = 100;
export const seriesLimit = 10_000;

/** A field with a measure, by default under its own name. */
export function measured(measure: MeasureName, name: string = measure): OutputField {
  const { label, unit, format }: Measure = measureOf(measure);
  return {
    name,
    label,
    type: typeOfFormat[format],
    ...(unit === undefined ? {} : { unit }),
    from: { measure },
  };
}

/** Fields with measures under their own names. */
export function figures(...names: readonly MeasureName[]): OutputField[] {
  return names.map((name) => measured(name));
}

/** A field with the value of a dimension, by default the first one. */
export function grouped(name: string, label: string, dimension = 0): OutputField {
  return { name, label, type: "string", from: { dimension } };
}

/**
 * A field with the values of several dimensions as one text. Unknown values are left out, except for the first
 * dimension.
 */
export function joined(name: string, label: string, dimensions: readonly number[]): OutputField {
  return { name, label, type: "string", from: { dimensions } };
}

/** A field that other products have but that is not stored here; always null. */
export function notKept(name: string, label: string): OutputField {
  return { name, label, type: "string", from: { notKept: true } };
}

/** A field with one measure as a percentage of another. */
export function ratio(name: string, label: string, part: MeasureName, whole: MeasureName): OutputField {
  return { name, label, type: "number", unit: "percent", from: { ratio: [part, whole] } };
}

/** The field with the share of a measure. */
export function share(measure: MeasureName): OutputField {
  return {
    name: "percentage",
    label: `Share of ${measureOf(measure).label.toLowerCase()}`,
    type: "number",
    unit: "percent",
    from: { share: measure },
  };
}

const typeOfFormat = {
  text: "string",
  count: "number",
  figure: "number",
  cost: "number",
  precise: "number",
  time: "string",
  boolean: "boolean",
  booleanOrNull: "boolean",
  json: "object",
} as const satisfies Record<ColumnFormat, OutputField["type"]>;

/** A field with a column of the result, by default the one of its own name. */
export function shown(
  name: string,
  label: string,
  format: ColumnFormat,
  { column = name, unit }: { readonly column?: string; readonly unit?: string } = {},
): OutputField {
  return { name, label, type: typeOfFormat[format], ...(unit === undefined ? {} : { unit }), from: { column, format } };
}

/** A field with a list in a JSON column of its name. */
export function listed(name: string, label: string): OutputField {
  return { ...shown(name, label, "json"), type: "array" };
}

/** The field with the label of a bucket. */
export const dateField: OutputField = { name: "date", label: "Date", type: "string", from: { bucket: true } };
