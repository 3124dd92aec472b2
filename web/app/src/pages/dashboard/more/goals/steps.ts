import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FunnelStepSchema } from "../../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import type {
  WebsiteGoal,
  WebsiteGoalRevenue,
} from "../../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { comparisonIn } from "../../view/comparison.ts";
import type { Step } from "../../view/goal.ts";
import { queryFilters, textValue } from "../../view/queryFilters.ts";
import type { Scope } from "../../view/question.ts";
import type { View } from "../../view/view.ts";

/** A goal of the website, or a step of its funnel. `revenue` names the event's properties with the amount and the currency. */
export type OwnGoal = Step & {
  readonly revenue?: Revenue;
  /** Only events with it; of a funnel's step. It is set in the settings, and the service keeps it where a step is sent without it. */
  readonly property?: { readonly name: string; readonly value: string };
};

export type Revenue = { readonly property: string; readonly currencyProperty?: string };

/** The steps that are filled in. Only goals of events have revenue. */
export function filledSteps(steps: readonly OwnGoal[]): OwnGoal[] {
  return steps
    .map(({ kind, value, revenue }) => ({
      kind,
      value: value.trim(),
      ...(kind === "event" ? filledRevenue(revenue) : {}),
    }))
    .filter(({ value }) => value !== "");
}

function filledRevenue(revenue: Revenue | undefined): Pick<OwnGoal, "revenue"> {
  const [property, currencyProperty] = [revenue?.property.trim(), revenue?.currencyProperty?.trim()];
  if (property === undefined || property === "") return {};
  return { revenue: { property, ...(currencyProperty ? { currencyProperty } : {}) } };
}

/** Goals and steps as the website has them. */
export function stepsOf(goals: readonly WebsiteGoal[]): OwnGoal[] {
  return goals.flatMap(({ kind, value, revenue, property }) =>
    filledSteps([
      {
        kind: kind === "event" ? "event" : "page",
        value,
        ...(revenue === undefined ? {} : { revenue: revenueOf(revenue) }),
      },
    ]).map((step) =>
      property === undefined ? step : { ...step, property: { name: property.name, value: property.value } },
    ),
  );
}

/** Leaves out the message's own fields: goals are part of the keys of questions. */
function revenueOf({ property, currencyProperty }: WebsiteGoalRevenue): Revenue {
  return { property, ...(currencyProperty === undefined ? {} : { currencyProperty }) };
}

/** A step in the form of the calls. A page that ends in * matches every page with that prefix. */
export function messageOf({ kind, value, property }: OwnGoal): MessageInitShape<typeof FunnelStepSchema> {
  if (kind === "event" && property !== undefined)
    return {
      name: `${value} (${property.name}: ${property.value})`,
      action: { case: "event", value },
      filters: [{ field: `properties.${property.name}`, op: "eq", value: textValue(property.value) }],
    };
  if (kind === "event") return { name: value, action: { case: "event", value } };
  const page = value.endsWith("*") ? { path: value.slice(0, -1), op: "starts_with" as const } : { path: value };
  return { name: value, action: { case: "page", value: page } };
}

/** The range and the filters of the view. */
export function rangeOf(scope: Scope) {
  const filters = queryFilters(scope.filters ?? []);
  return scope.preset === undefined
    ? { startDate: scope.startDate, endDate: scope.endDate, filters }
    : { preset: scope.preset, filters };
}

/** What the view compares with. */
export function comparisonOf(view: View) {
  const compare = comparisonIn(view);
  if (compare === "none") return {};
  return {
    compare: typeof compare === "string" ? { period: compare } : { startDate: compare.from, endDate: compare.to },
  };
}

/** Whether filters select events: the service looks for one event that matches all of them. */
export function selectsEvents(filters: readonly { readonly field: string }[]): boolean {
  return filters.some(({ field }) => eventFields.has(field) || field.startsWith("properties."));
}

const eventFields: ReadonlySet<string> = new Set([
  "path",
  "title",
  "event_name",
  "event_type",
  "href",
  "text",
  "domain",
]);
