import { detail, Problems, quoted } from "../errors/problems.ts";
import type { QueryFilter } from "../gen/lookout/v1/query_pb.ts";
import { catalogue } from "../query/catalogue/catalogue.ts";
import { allowedFilters } from "../query/filters/allowedFilters.ts";
import { countValues, requireFewFilterValues } from "../query/filters/filterWork.ts";
import { readFilters } from "../query/filters/readFilters.ts";
import { storedFilters } from "../query/filters/storedFilters.ts";
import { propertyFilterName, propertyKeyOf, propertyKeyProblem } from "../query/sql/eventProperties.ts";
import { isStorableText, unstorableText } from "../text/isStorableText.ts";
import { nearest } from "../text/nearest.ts";
import type { SegmentCall } from "./segmentCall.ts";

/**
 * The filters of a segment as they are stored. Only filters that some query type takes are saved. Throws VALIDATION_ERROR that names each wrong one.
 */
export function readSegmentFilters(given: readonly QueryFilter[], call: SegmentCall): string {
  const problems = new Problems();
  readFilters(given, (field, message) => problems.add(detail(field, message)));
  const names = filterNames();
  given.forEach(({ field }, index) => {
    const problem = fieldProblem(field, names);
    if (problem !== undefined) problems.add(detail(`filters[${index}].field`, problem, nearest(field, [...names])));
  });
  problems.throwIfAny();
  requireFewFilterValues(countValues(given), call);
  return storedFilters(given);
}

function fieldProblem(field: string, names: ReadonlySet<string>): string | undefined {
  if (!isStorableText(field)) return unstorableText;
  const key = propertyKeyOf(field);
  if (key !== undefined && field !== propertyFilterName) return propertyKeyProblem(key);
  return names.has(field) && field !== propertyFilterName ? undefined : `has no filter ${quoted(field)}`;
}

/** The names of all filters that query types take. */
function filterNames(): ReadonlySet<string> {
  return new Set([...catalogue.values()].flatMap(allowedFilters));
}
