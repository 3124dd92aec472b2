import { detail, type Problems } from "../../errors/problems.ts";
import type { QueryFilter } from "../../gen/lookout/v1/query_pb.ts";
import type { Filter } from "../sql/filters.ts";
import { filterProblem } from "./allowedFilters.ts";
import { readFilters } from "./readFilters.ts";

/** Filters on events; `at` is the path to them (`steps[0].`). Problems are reported. */
export function readEventFilters(given: readonly QueryFilter[], at: string, problems: Problems): Filter[] {
  const filters = readFilters(given, (field, message) => problems.add(detail(`${at}${field}`, message)));
  given.forEach(({ field }, index) => {
    const problem = filterProblem({ name: "events", table: "events" }, field);
    if (problem === undefined) return;
    const { message, suggestion } = problem;
    problems.add(detail(`${at}filters[${index}].field`, `cannot be used: ${message}`, suggestion));
  });
  return filters;
}
