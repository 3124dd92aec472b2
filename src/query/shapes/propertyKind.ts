import { eachInSlices } from "../../concurrency/timeSlices.ts";

/** The kind of a property's values, from their text alone. Together with their number it decides how to draw them. */
export type PropertyKind = {
  readonly is_numeric: boolean;
  readonly is_boolean: boolean;
  readonly is_date_like: boolean;
  readonly is_url_like: boolean;
  readonly inferred_type: "boolean" | "number" | "date" | "url" | "object" | "string";
  readonly render_strategy: "distribution_bar" | "top_n_chart" | "top_n_with_other" | "detail_only";
};

/** The kind of a property with these different values, at least one. It is the kind that all of its values have. */
export async function propertyKindOf(values: ReadonlyMap<string, unknown>): Promise<PropertyKind> {
  let isBoolean = values.size > 0;
  let [isNumeric, isDate, isUrl, isObject] = [isBoolean, isBoolean, isBoolean, isBoolean];
  await eachInSlices(values.keys(), (value) => {
    isBoolean &&= value === "true" || value === "false";
    isNumeric &&= numeric.test(value);
    isDate &&= date.test(value) && !Number.isNaN(Date.parse(value));
    isUrl &&= url.test(value);
    isObject &&= value.startsWith("{") || value.startsWith("[");
  });
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
    render_strategy: strategyOf(values.size),
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
