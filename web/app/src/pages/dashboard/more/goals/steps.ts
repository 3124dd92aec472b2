import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FunnelStepSchema } from "../../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import { readStored, writeStored } from "../../../../preferences/stored.ts";
import type { Scope } from "../../view/question.ts";

/** What a visitor has to do: view a page, or cause a custom event. */
export type Step = { readonly kind: "page" | "event"; readonly value: string };

/** The goals or steps that this browser remembers for a website. */
export function storedSteps(websiteId: string, name: "goals" | "funnel"): readonly Step[] {
  try {
    const stored: unknown = JSON.parse(readStored(`${name}.${websiteId}`) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isStep) : [];
  } catch {
    return [];
  }
}

/** Remembers them and returns those that say what to do. */
export function storeSteps(websiteId: string, name: "goals" | "funnel", steps: readonly Step[]): readonly Step[] {
  const filled = steps
    .filter(({ value }) => value.trim() !== "")
    .map((step) => ({ ...step, value: step.value.trim() }));
  writeStored(`${name}.${websiteId}`, filled.length === 0 ? undefined : JSON.stringify(filled));
  return filled;
}

function isStep(entry: unknown): entry is Step {
  return (
    typeof entry === "object" &&
    entry !== null &&
    "kind" in entry &&
    (entry.kind === "page" || entry.kind === "event") &&
    "value" in entry &&
    typeof entry.value === "string"
  );
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
