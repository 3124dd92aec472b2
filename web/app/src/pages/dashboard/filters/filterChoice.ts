import type { FilterField } from "../../../../../../packages/client-js/src/filterFields.ts";
import {
  type EmptyOperator,
  emptyOperators,
  type TextOperator,
  textOperators,
  type ViewFilter,
  valuesOf,
} from "../view/filter.ts";
import { propertyKeyOf } from "./propertyField.ts";

/** What people choose: `is` and `is not` take several values. */
export type OperatorChoice = TextOperator | EmptyOperator;

export const operatorChoices: readonly OperatorChoice[] = [...textOperators, ...emptyOperators];

/** A filter as the form has it. */
export type FilterChoice = {
  /** A field of filters, or the choice of goals. */
  readonly field: string;
  readonly op: OperatorChoice;
  readonly values: readonly string[];
};

export function choiceOf(filter: ViewFilter): FilterChoice {
  const { field, op } = filter;
  const values = valuesOf(filter);
  if (op === "in") return { field, op: "eq", values };
  return { field, op: op === "not_in" ? "ne" : op, values };
}

/** The filter of a choice; undefined while it has no value, or its property no key. */
export function filterOf({ field, op, values }: FilterChoice): ViewFilter | undefined {
  if (propertyKeyOf(field) === "") return undefined;
  if (isEmptyOperator(op)) return { field: field as FilterField, op };
  const [value] = values;
  if (value === undefined) return undefined;
  if (values.length === 1 || !takesSeveral(op)) return { field: field as FilterField, op, value };
  return { field: field as FilterField, op: op === "eq" ? "in" : "not_in", value: [...values] };
}

export function takesSeveral(op: OperatorChoice): boolean {
  return op === "eq" || op === "ne";
}

export function isEmptyOperator(op: OperatorChoice): op is EmptyOperator {
  return emptyOperators.some((name) => name === op);
}
