import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FunnelStepSchema } from "../../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import type { WebsiteGoal } from "../../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import type { Step } from "../../view/goal.ts";
import type { Scope } from "../../view/question.ts";

/** The steps that say what to do. */
export function filledSteps(steps: readonly Step[]): Step[] {
  return steps.map(({ kind, value }) => ({ kind, value: value.trim() })).filter(({ value }) => value !== "");
}

/** Steps as the website has them. */
export function stepsOf(goals: readonly WebsiteGoal[]): Step[] {
  return goals.map(({ kind, value }) => ({ kind: kind === "event" ? "event" : "page", value }));
}

/** A step as the calls take it. A page that ends in * is any page that begins so. */
export function messageOf({ kind, value }: Step): MessageInitShape<typeof FunnelStepSchema> {
  if (kind === "event") return { name: value, action: { case: "event", value } };
  const isBeginning = value.endsWith("*");
  const page = isBeginning ? { path: value.slice(0, -1), op: "starts_with" } : { path: value };
  return { name: value, action: { case: "page", value: page } };
}

/** The range and the filters of the view. */
export function rangeOf(scope: Scope) {
  const filters = (scope.filters ?? []).map(({ value, ...filter }) => ({
    ...filter,
    value: { kind: { case: "stringValue", value } } as const,
  }));
  return scope.preset === undefined
    ? { startDate: scope.startDate, endDate: scope.endDate, filters }
    : { preset: scope.preset, filters };
}
