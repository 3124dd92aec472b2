import type { BucketUnit } from "../plan/buckets.ts";
import type { FixedPeriod } from "../plan/fixedPeriod.ts";
import type { FactTable, FieldName } from "../sql/fields.ts";
import { type Measure, type MeasureName, measureOf, type RowKind } from "../sql/measures.ts";

/** Which pages a table of visits lists: those that were viewed, or those with visits that told this. Most of them come first. */
export type VisitFigure = "pageviews" | "time" | "scroll";

/** What is told of the properties of custom events: their values, how many there are, what they are, or what events have which. */
export type PropertyFigure = "values" | "cardinality" | "classification" | "top_values" | "distribution" | "discovery";

/** One query type, all of it data: what it is called, who may ask it, and how its rows are made. */
export type QueryType = {
  readonly name: string;
  readonly title: string;
  /** What it counts and how, for people who choose a type. */
  readonly description: string;
  readonly category: Category;
  /** Whether a public website answers it to anyone. */
  readonly isPublic: boolean;
  /** The table whose fields its filters name. */
  readonly table: FactTable;
  /** Counts only these rows. */
  readonly only?: RowKind;
  /** The time it always tells of, whatever range is sent. */
  readonly period?: FixedPeriod;
  /** The buckets it always has, whatever granularity is sent. */
  readonly bucketUnit?: BucketUnit;
  readonly shape: Shape;
  readonly fields: readonly OutputField[];
  /** Rows without a limit in the query. */
  readonly defaultLimit: number;
  /** Filters that only this type takes, besides those of its table. */
  readonly ownFilters?: readonly string[];
  /** A field that must be filtered to named values. */
  readonly requiredFilter?: string;
};

export type Category =
  | "summary"
  | "pages"
  | "traffic"
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
      /** The columns that come before the time in the order, largest first. */
      readonly largestFirst?: readonly string[];
      /** The columns that order rows of one moment; `event_key` unless given. */
      readonly key?: readonly string[];
    }
  | { readonly kind: "event_list" }
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
  | { readonly kind: "event_properties"; readonly figure: PropertyFigure }
  | {
      readonly kind: "table";
      readonly dimensions: readonly FieldName[];
      /** Where the rows are sessions: which of a session's values is its group. */
      readonly sessionEnd?: "first" | "last";
      /**
       * Rows without a value: only page views count, because other events often lack what page views carry and would show their
       * visitors twice; or none at all. All of them unless given.
       */
      readonly withoutValue?: "page_views" | "none";
      /** What the rows are ordered by, largest first, before the usual order by counts. */
      readonly largestFirst?: MeasureName;
    };

/**
 * A field of the rows and what fills it. `share` is the percentage that a measure has in the sum of all rows, also those of other pages;
 * `column` a column of the result, in shapes that are not made of measures; `dimensions` several values as one text; `ratio` what the
 * first measure is of the second, at most 100 percent; `notKept` always null, because it is not stored.
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
    | { measure: MeasureName }
    | { share: MeasureName }
    | { column: string; format: ColumnFormat };
};

/**
 * text: empty without a value; count: 0 without one; decimal: 2 places, 0 without one; figure: 2 places, null without one; cost: 8
 * places, 0 without one; precise: 8 places, null without one; time: ISO 8601 in UTC or null; json: the stored JSON or null.
 */
export type ColumnFormat = "text" | "count" | "decimal" | "figure" | "cost" | "precise" | "time" | "boolean" | "json";

/** A limit of 100 is the contract's default (specification part 8); series give every bucket unless a limit is sent. */
export const tableLimit = 100;
export const seriesLimit = 10_000;

/** A field that shows a measure, under its own name unless another is given. */
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

/** A field that shows a value of a dimension, the first unless another is given. */
export function grouped(name: string, label: string, dimension = 0): OutputField {
  return { name, label, type: "string", from: { dimension } };
}

/** A field that shows the values of several dimensions as one text, without those that are unknown but the first. */
export function joined(name: string, label: string, dimensions: readonly number[]): OutputField {
  return { name, label, type: "string", from: { dimensions } };
}

/** A field that other products fill with what is not stored here; always null. */
export function notKept(name: string, label: string): OutputField {
  return { name, label, type: "string", from: { notKept: true } };
}

/** A field that shows what one measure is of another, in percent. */
export function ratio(name: string, label: string, part: MeasureName, whole: MeasureName): OutputField {
  return { name, label, type: "number", unit: "percent", from: { ratio: [part, whole] } };
}

/** The field that shows the share of a measure. */
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
  decimal: "number",
  figure: "number",
  cost: "number",
  precise: "number",
  time: "string",
  boolean: "boolean",
  json: "object",
} as const satisfies Record<ColumnFormat, OutputField["type"]>;

/** A field that shows a column of the result, the one of its own name unless another is given. */
export function shown(
  name: string,
  label: string,
  format: ColumnFormat,
  { column = name, unit }: { readonly column?: string; readonly unit?: string } = {},
): OutputField {
  return { name, label, type: typeOfFormat[format], ...(unit === undefined ? {} : { unit }), from: { column, format } };
}

/** The field that names a bucket. */
export const dateField: OutputField = { name: "date", label: "Date", type: "string", from: { bucket: true } };
