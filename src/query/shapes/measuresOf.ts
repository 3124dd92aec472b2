import type { QueryType } from "../catalogue/queryType.ts";
import type { MeasureName } from "../sql/measures.ts";

/** The measures of a type, each once, in the order of its fields. */
export function measuresOf(type: QueryType): MeasureName[] {
  const names = type.fields.flatMap(({ from }) =>
    "measure" in from ? [from.measure] : "share" in from ? [from.share] : "ratio" in from ? from.ratio : [],
  );
  return [...new Set(names)];
}
