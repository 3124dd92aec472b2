import { detail, type Problems } from "../../errors/problems.ts";
import type { QueryFilter } from "../../gen/lookout/v1/query_pb.ts";
import { pathSpellings } from "../../text/pagePath.ts";
import { countValues } from "../filters/filterWork.ts";
import { readEventFilters } from "../filters/readEventFilters.ts";
import { problemOf } from "../filters/readFilters.ts";
import type { Bindings } from "../sql/bindings.ts";
import { type Filter, filterOperators, filterSql } from "../sql/filters.ts";
import { eventKinds } from "../sql/measures.ts";
import { eventFilters } from "../visits/splitFilters.ts";

/** A step: an event that matches all of its filters. */
export type Step = {
  readonly name: string;
  readonly kind: keyof Pick<typeof eventKinds, "page_view" | "custom">;
  readonly filters: readonly Filter[];
};

/** A step as requests have it. */
export type GivenStep = {
  readonly name?: string;
  readonly action:
    | { readonly case: "page"; readonly value: { readonly path: string; readonly op?: string } }
    | { readonly case: "event"; readonly value: string }
    | { readonly case: undefined };
  readonly filters: readonly QueryFilter[];
};

/** The steps of a request; `list` is their field. Problems are reported. */
export function readSteps(given: readonly GivenStep[], list: string, problems: Problems): Step[] {
  return given.flatMap((step, index) => readStep(step, `${list}[${index}].`, problems) ?? []);
}

/** A step of a request; `at` is the path to it (`steps[0].`). Undefined where it says nothing to do. Problems are reported. */
export function readStep(step: GivenStep, at: string, problems: Problems): Step | undefined {
  const filters = readEventFilters(step.filters, at, problems);
  const { action } = step;
  if (action.case === undefined) return undefined;
  const isPage = action.case === "page";
  const value = isPage ? action.value.path : action.value;
  const comparison = isPage ? filterOperators.get(action.value.op ?? "eq")?.comparison : "equals";
  const problem = problemOf([value], { takes: "one", comparison }, true);
  if (problem !== undefined) problems.add(detail(`${at}${action.case}`, problem));
  const own: Filter = {
    field: isPage ? "path" : "event_name",
    comparison: comparison ?? "equals",
    negated: false,
    values: isPage ? pathSpellings(value) : [value],
  };
  return { name: step.name ?? value, kind: isPage ? "page_view" : "custom", filters: [own, ...filters] };
}

/** How many values the filters of steps compare with. */
export function countStepValues(steps: readonly Pick<GivenStep, "filters">[]): number {
  return steps.reduce((sum, { filters }) => sum + countValues(filters), 0);
}

/** The SQL condition for events that match the step by themselves. Its filters on fields of visits are those of stepMask. */
export function ownStepSql({ kind, filters }: Step, bindings: Bindings): string {
  return [eventKinds[kind], filterSql(eventFilters(filters), "events", bindings)].join(" AND ");
}
