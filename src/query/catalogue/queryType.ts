import type { FactTable, FieldName } from "../fields.ts";
import { type EventKind, type Measure, type MeasureName, measureOf } from "../measures.ts";

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
  /** Counts only these events. */
  readonly only?: EventKind;
  readonly shape: Shape;
  readonly fields: readonly OutputField[];
  /** Rows without a limit in the query. */
  readonly defaultLimit: number;
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

/** summary: one row; series: a row for each bucket of time; table: a row for each combination of the dimensions' values. */
export type Shape =
  | { readonly kind: "summary" }
  | { readonly kind: "series" }
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
    };

/**
 * A field of the rows and what fills it. `share` is the percentage that a measure has in the sum of all rows, also those of other pages;
 * `column` a column of the result, in shapes that are not made of measures.
 */
export type OutputField = {
  readonly name: string;
  readonly label: string;
  readonly type: "string" | "number" | "boolean" | "object" | "array";
  readonly unit?: string;
  readonly from:
    | { bucket: true }
    | { dimension: number }
    | { measure: MeasureName }
    | { share: MeasureName }
    | { column: string; format: ColumnFormat };
};

/**
 * text: empty without a value; count: 0 without one; decimal: 2 places, 0 without one; figure: 2 places, null without one; time: ISO 8601
 * in UTC or null; json: the stored JSON or null.
 */
export type ColumnFormat = "text" | "count" | "decimal" | "figure" | "time" | "boolean" | "json";

/** A limit of 100 is the contract's default (specification part 8); series give every bucket unless a limit is sent. */
export const tableLimit = 100;
export const seriesLimit = 10_000;

/** A field that shows a measure, under its own name unless another is given. */
export function measured(measure: MeasureName, name: string = measure): OutputField {
  const { label, unit, format }: Measure = measureOf(measure);
  return {
    name,
    label,
    type: format === "time" ? "string" : "number",
    ...(unit === undefined ? {} : { unit }),
    from: { measure },
  };
}

/** A field that shows a value of a dimension, the first unless another is given. */
export function grouped(name: string, label: string, dimension = 0): OutputField {
  return { name, label, type: "string", from: { dimension } };
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
