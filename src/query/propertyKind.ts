/** What the values of a property are, told by their text alone, and how many of them there are decides how to draw them. */
export type PropertyKind = {
  readonly is_numeric: boolean;
  readonly is_boolean: boolean;
  readonly is_date_like: boolean;
  readonly is_url_like: boolean;
  readonly inferred_type: "boolean" | "number" | "date" | "url" | "object" | "string";
  readonly render_strategy: "distribution_bar" | "top_n_chart" | "top_n_with_other" | "detail_only";
};

/** The kind of a property with these different values, at least one. A property is of a kind when all of its values are. */
export function propertyKindOf(values: readonly string[]): PropertyKind {
  const areAll = (test: (value: string) => boolean) => values.length > 0 && values.every(test);
  const isBoolean = areAll((value) => value === "true" || value === "false");
  const isNumeric = areAll((value) => numeric.test(value));
  const isDate = areAll((value) => date.test(value) && !Number.isNaN(Date.parse(value)));
  const isUrl = areAll((value) => url.test(value));
  const isObject = areAll((value) => value.startsWith("{") || value.startsWith("["));
  return {
    is_numeric: isNumeric,
    is_boolean: isBoolean,
    is_date_like: isDate,
    is_url_like: isUrl,
    inferred_type: isBoolean
      ? "boolean"
      : isNumeric
        ? "number"
        : isDate
          ? "date"
          : isUrl
            ? "url"
            : isObject
              ? "object"
              : "string",
    render_strategy: strategyOf(values.length),
  };
}

function strategyOf(cardinality: number): PropertyKind["render_strategy"] {
  if (cardinality <= 5) return "distribution_bar";
  if (cardinality <= 20) return "top_n_chart";
  return cardinality <= 100 ? "top_n_with_other" : "detail_only";
}

/** A number as JSON writes it. */
const numeric = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const date = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const url = /^https?:\/\/[^\s/]+/i;
