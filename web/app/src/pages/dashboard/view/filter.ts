import type { FilterField } from "../../../../../../packages/client-js/src/filterFields.ts";

/** Operators with one text. */
export const textOperators = ["eq", "ne", "contains", "not_contains", "starts_with", "ends_with", "matches"] as const;

/** Operators with several texts. */
export const listOperators = ["in", "not_in"] as const;

/** Operators without a text. */
export const emptyOperators = ["is_empty", "is_not_empty"] as const;

export type TextOperator = (typeof textOperators)[number];
export type ListOperator = (typeof listOperators)[number];
export type EmptyOperator = (typeof emptyOperators)[number];

/** A filter on one text. */
export type TextFilter = { readonly field: FilterField; readonly op: TextOperator; readonly value: string };

export type ListFilter = { readonly field: FilterField; readonly op: ListOperator; readonly value: string[] };

export type EmptyFilter = { readonly field: FilterField; readonly op: EmptyOperator };

/** A filter of the overview. */
export type ViewFilter = TextFilter | ListFilter | EmptyFilter;

/** The texts of a filter: several for `in` and `not_in`, none for `is_empty`. */
export function valuesOf(filter: ViewFilter): readonly string[] {
  if (!("value" in filter)) return [];
  return typeof filter.value === "string" ? [filter.value] : filter.value;
}

/** `field:operator:value`. The value may contain colons; several are separated by commas. */
export function writeFilter(filter: ViewFilter): string {
  if (!("value" in filter)) return `${filter.field}:${filter.op}:`;
  const { field, op, value } = filter;
  const text = typeof value === "string" ? value : value.map((one) => one.replaceAll(/[\\,]/g, "\\$&")).join(",");
  return `${field}:${op}:${text}`;
}

/** An empty list for a text that is no filter. The service refuses a field that it does not have. */
export function readFilter(text: string): ViewFilter[] {
  const [, field = "", given = "", value = ""] = /^([^:]+):([^:]+):(.*)$/s.exec(text) ?? [];
  const textOp = textOperators.find((name) => name === given);
  if (textOp !== undefined) return [{ field: field as FilterField, op: textOp, value }];
  const listOp = listOperators.find((name) => name === given);
  if (listOp !== undefined)
    return value === "" ? [] : [{ field: field as FilterField, op: listOp, value: splitList(value) }];
  const emptyOp = emptyOperators.find((name) => name === given);
  return emptyOp === undefined ? [] : [{ field: field as FilterField, op: emptyOp }];
}

/** The parts between commas; a backslash takes the next character as it is. */
function splitList(text: string): string[] {
  const parts = [""];
  for (const [piece] of text.matchAll(/\\.|[^\\]|\\$/gs)) {
    if (piece === ",") parts.push("");
    else parts[parts.length - 1] += piece.length === 2 ? piece.slice(1) : piece;
  }
  return parts;
}

export function isSameFilter(one: ViewFilter, other: ViewFilter): boolean {
  return writeFilter(one) === writeFilter(other);
}
