import { jsonOf, shown } from "./jsonOf.ts";
import type { LookoutErrorDetail } from "./lookoutError.ts";
import type { Filter, WatchQuery } from "./query.ts";
import { requireNone } from "./readRequest.ts";

/**
 * A query whose filters hold values of JSON, and whose parts can be made into a request, which is checked when it is sent. Throws a LookoutError
 * (VALIDATION_ERROR) that names each part that cannot.
 */
export function readQuery<Q extends WatchQuery>(query: Q): Q {
  const problems: LookoutErrorDetail[] = [];
  const isFit = (isSo: boolean, field: string, wanted: string, value: unknown) => {
    if (!isSo) problems.push({ field, message: `must be ${wanted}, not ${shown(value)}` });
    return isSo;
  };
  const readFilters = (filters: readonly Filter[] | undefined, path: string) => {
    if (filters === undefined || !isFit(Array.isArray(filters), path, "a list", filters)) return undefined;
    return filters.map((filter, index): Filter => {
      const place = `${path}[${index}]`;
      if (!isFit(isObject(filter), place, "an object", filter) || filter.value === undefined) return filter;
      // The service says which kinds of values an operator takes.
      return { ...filter, value: jsonOf(filter.value, `${place}.value`, problems) } as Filter;
    });
  };
  const { parameters, filters, goal } = query;
  isFit(Array.isArray(parameters), "parameters", "a list", parameters);
  const isGoal = goal !== undefined && isFit(isObject(goal), "goal", "an object", goal);
  const read = {
    filters: readFilters(filters, "filters"),
    goal: isGoal ? { ...goal, filters: readFilters(goal.filters, "goal.filters") } : undefined,
  };
  requireNone(problems);
  return { ...query, ...read };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
