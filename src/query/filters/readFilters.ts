import type { Value } from "@bufbuild/protobuf/wkt";
import type { QueryFilter } from "../../gen/lookout/v1/query_pb.ts";
import { type Filter, filterOperators, type ValueCount } from "../sql/filters.ts";
import { searchProblem } from "../sql/textComparison.ts";
import { storedSpellings } from "./storedSpellings.ts";

/** Enough for a list picked by a person, and far below what one statement can bind. */
const maxValues = 500;

/**
 * The filters of a query with their values as text; a number is converted to text. `report` is called for each invalid
 * value, with its field (`filters[0].value`); such filters are left out.
 */
export function readFilters(
  filters: readonly QueryFilter[],
  report: (field: string, message: string) => void,
): Filter[] {
  return filters.flatMap(({ field, op, value }, index) => {
    const operator = filterOperators.get(op);
    const values = operator?.takes === "none" ? noValue(value) : textsOf(value);
    const problem =
      operator === undefined
        ? "has an unknown operator"
        : problemOf(values, operator, operator.comparison === "equals");
    if (operator === undefined || values === undefined || problem !== undefined) {
      report(operator === undefined ? `filters[${index}].op` : `filters[${index}].value`, problem ?? "");
      return [];
    }
    const { comparison, negated } = operator;
    return [{ field, comparison, negated, values: values.flatMap((text) => storedSpellings(field, text, comparison)) }];
  });
}

/** Why the values of a condition cannot be used; `mayBeEmpty` where an empty text stands for no value. */
export function problemOf(
  values: readonly string[] | undefined,
  { takes, comparison = "" }: { readonly takes: ValueCount; readonly comparison?: string },
  mayBeEmpty: boolean,
): string | undefined {
  if (values === undefined)
    return takes === "none" ? "must be left out with this operator" : "must be a string, a number or an array of them";
  if (values.length === 0) return "must hold at least one value";
  if (values.length > maxValues) return `must hold at most ${maxValues} values`;
  if (values.length > 1 && takes !== "many") return "must be a single value here; use in or not_in for several";
  if (!mayBeEmpty && values.includes("")) return "must not be empty here; use eq or ne to compare with nothing";
  // The PostgreSQL wire ends a text at this character.
  if (values.some((value) => value.includes("\u0000"))) return "must not hold the character U+0000; leave it out";
  return values.map((value) => searchProblem(comparison, value)).find((problem) => problem !== undefined);
}

/** The value that stands for none, unless another one was sent; then undefined. */
export function noValue(sent: Value | undefined): string[] | undefined {
  const isNone = sent === undefined || sent.kind.case === "nullValue" || textOf(sent) === "";
  return isNone ? [""] : undefined;
}

/** The values of a filter as text; undefined if one is neither text nor number. */
export function textsOf(value: Value | undefined): string[] | undefined {
  if (value?.kind.case !== "listValue") {
    const text = textOf(value);
    return text === undefined ? undefined : [text];
  }
  const texts = value.kind.value.values.map(textOf);
  const known = texts.filter((text) => text !== undefined);
  return known.length === texts.length ? known : undefined;
}

function textOf(value: Value | undefined): string | undefined {
  if (value?.kind.case === "stringValue") return value.kind.value;
  return value?.kind.case === "numberValue" ? String(value.kind.value) : undefined;
}
