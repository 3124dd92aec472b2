import type { Texts } from "../../../texts/texts.ts";
import { valueName } from "../../../texts/valueName.ts";
import { fieldName } from "../fieldName.ts";
import { type ViewFilter, valuesOf } from "../view/filter.ts";

/** Operators that compare whole values: only these have names, in "contains DE" the value is letters. */
const whole: ReadonlySet<string> = new Set(["eq", "ne", "in", "not_in"]);

/** A filter as a sentence, in two parts: "Country is one of" and "Germany, France". */
export function filterText(filter: ViewFilter, texts: Texts): { readonly condition: string; readonly values: string } {
  const { field, op } = filter;
  const values = valuesOf(filter).map((value) => (whole.has(op) ? valueName(field, value, texts) : value));
  return { condition: `${fieldName(field, texts)} ${texts.dashboard.operators[op]}`, values: values.join(", ") };
}
