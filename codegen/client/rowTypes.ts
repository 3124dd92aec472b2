import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import { fieldsWithGoal } from "../../src/query/catalogue/goalTypes.ts";
import type { OutputField, QueryType } from "../../src/query/catalogue/queryType.ts";
import { isKey } from "../../src/query/shapes/measuredAnswer.ts";
import { measureOf } from "../../src/query/sql/measures.ts";
import { mayBeUnknown } from "../../src/query/unknown/unknownTimes.ts";

/**
 * What a field of a row holds. count: a whole number; time: a text, ISO 8601 in UTC; object, array: any JSON; nothing: always null,
 * because it is not stored.
 */
export type FieldKind = "text" | "time" | "count" | "number" | "boolean" | "object" | "array" | "nothing";

export type RowField = {
  readonly name: string;
  /** A sentence: its label and unit. */
  readonly note: string;
  readonly kind: FieldKind;
  /** Whether it is the text of a bucket: a day, the first one of a week or month, or the start of an hour. */
  readonly isBucket: boolean;
  /**
   * Whether rows may lack a value: what was not measured or has not happened, and figures of events at unknown times. Other
   * counts, costs and texts always have one.
   */
  readonly mayBeNull: boolean;
  /** Whether rows have it only where the query has a goal. */
  readonly isOfGoal: boolean;
};

/** The note on a field, in languages whose rows do not have it without a goal. */
export function noteWithGoal({ note, isOfGoal }: RowField): string {
  return isOfGoal ? `${note} Only with a goal in the query.` : note;
}

/** When a field has no value, for languages that call that `nothing`: "Null without a value." Empty if it always has one. */
export function absenceNote({ mayBeNull, isOfGoal }: RowField, nothing: "Null" | "Nil"): string {
  if (!isOfGoal) return mayBeNull ? ` ${nothing} without a value.` : "";
  return ` ${nothing} ${mayBeNull ? "without a value, and " : ""}without a goal in the query.`;
}

/** The rows of one query type, for the generators of all languages. */
export type RowType = {
  /** The name of the query type, such as `top_pages`. */
  readonly query: string;
  /** The name of its rows' type in code, such as `TopPagesRow`. */
  readonly name: string;
  readonly description: string;
  readonly fields: readonly RowField[];
};

/** In the catalogue's order. */
export function rowTypes(): readonly RowType[] {
  return [...catalogue.values()].map(rowType);
}

export function rowType(type: QueryType): RowType {
  const { name, description, fields } = type;
  return {
    query: name,
    name: `${capitalised(name)}Row`,
    description,
    fields: [
      ...fields.map((field) => rowField(field, type)),
      ...fieldsWithGoal(type).map((field) => ({ ...rowField(field, type), isOfGoal: true })),
    ],
  };
}

/** `top_pages` as `TopPages`, `totalErrors` as `TotalErrors`. */
export function capitalised(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function rowField(field: OutputField, type: QueryType): RowField {
  const { name, label, unit } = field;
  // The rates of returning visitors are made apart from other series, with the same buckets.
  const isBucket = "bucket" in field.from || (name === "date" && type.shape.kind === "retention_rate");
  const note = isBucket ? bucketNote : unit === undefined ? `${label}.` : `${label}, ${unit}.`;
  const kind = kindOf(field);
  const { kind: shape } = type.shape;
  const isOfUnknownTimes = nullKinds.has(shape) && mayBeUnknown(type) && !isKey(field) && kind !== "text";
  const isRate = "goal" in field.from && field.from.goal === "rate";
  const mayBeNull = kind === "nothing" || isOfUnknownTimes || isRate || nullFormats.has(formatOf(field) ?? "");
  return { name, note, kind, isBucket, mayBeNull, isOfGoal: false };
}

const bucketNote = "The (first) day, YYYY-MM-DD, or the start of the hour with the zone's offset.";

/** Shapes with rows that have no figures where what they count is unknown. */
const nullKinds: ReadonlySet<string> = new Set([
  "series",
  "summary",
  "split_series",
  "retention_rate",
  "goal_conversions",
]);

const kindOfType = {
  string: "text",
  number: "number",
  boolean: "boolean",
  object: "object",
  array: "array",
} as const satisfies Record<OutputField["type"], FieldKind>;

function kindOf(field: OutputField): FieldKind {
  if ("notKept" in field.from) return "nothing";
  const format = formatOf(field);
  return format === "count" || format === "time" ? format : kindOfType[field.type];
}

function formatOf({ from }: OutputField): string | undefined {
  if ("measure" in from) return measureOf(from.measure).format;
  if ("goal" in from) return from.goal === "rate" || from.goal === "revenue" ? undefined : "count";
  return "column" in from ? from.format : undefined;
}

/** See ColumnFormat. */
const nullFormats: ReadonlySet<string> = new Set(["figure", "precise", "time", "booleanOrNull", "json"]);
