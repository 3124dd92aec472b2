import type { Filter } from "../../../../../../packages/client-js/src/query.ts";

/** Filters in the form of calls other than queries, which take messages. */
export function queryFilters(filters: readonly Filter[]) {
  return filters.map(({ field, op, value }) =>
    value === undefined
      ? { field, op }
      : {
          field,
          op,
          value:
            typeof value === "object"
              ? ({ kind: { case: "listValue", value: { values: value.map(textValue) } } } as const)
              : textValue(value),
        },
  );
}

export function textValue(value: string | number) {
  return { kind: { case: "stringValue", value: String(value) } } as const;
}
