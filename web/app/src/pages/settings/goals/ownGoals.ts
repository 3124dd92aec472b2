import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FunnelStepSchema } from "../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import type { WebsiteGoal, WebsiteGoals } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";

/** A goal of the website, or a step of a funnel. Only goals have revenue, only steps a property, and only those of events. */
export type OwnStep = {
  readonly kind: "page" | "event";
  readonly value: string;
  readonly revenue?: { readonly property: string; readonly currencyProperty?: string };
  readonly property?: { readonly name: string; readonly value: string };
};

export type OwnFunnel = { readonly name: string; readonly steps: readonly OwnStep[] };

export type OwnGoals = { readonly goals: readonly OwnStep[]; readonly funnels: readonly OwnFunnel[] };

export const emptyStep: OwnStep = { kind: "page", value: "" };

/** The goals of a website without the messages' own fields. */
export function ownGoals(goals: WebsiteGoals | undefined): OwnGoals {
  return {
    goals: filled((goals?.goals ?? []).map(ownStep)),
    funnels: (goals?.funnels ?? []).map(({ name, steps }) => ({ name, steps: filled(steps.map(ownStep)) })),
  };
}

function ownStep({ kind, value, revenue, property }: WebsiteGoal): OwnStep {
  return {
    kind: kind === "event" ? "event" : "page",
    value,
    ...(revenue === undefined
      ? {}
      : {
          revenue: {
            property: revenue.property,
            ...(revenue.currencyProperty === undefined ? {} : { currencyProperty: revenue.currencyProperty }),
          },
        }),
    ...(property === undefined ? {} : { property: { name: property.name, value: property.value } }),
  };
}

/** The rows of a form that are filled in, without what does not belong to their kind. */
export function filled(steps: readonly OwnStep[]): OwnStep[] {
  return steps
    .map(({ kind, value, revenue, property }): OwnStep => {
      const step = { kind, value: value.trim() };
      if (kind === "page") return step;
      const [amount, currency] = [revenue?.property.trim() ?? "", revenue?.currencyProperty?.trim() ?? ""];
      const [name, wanted] = [property?.name.trim() ?? "", property?.value.trim() ?? ""];
      return {
        ...step,
        ...(amount === ""
          ? {}
          : { revenue: { property: amount, ...(currency === "" ? {} : { currencyProperty: currency }) } }),
        ...(name === "" || wanted === "" ? {} : { property: { name, value: wanted } }),
      };
    })
    .filter(({ value }) => value !== "");
}

/** What the service takes: it wants lists that may be changed. */
export function sentGoals({ goals, funnels }: OwnGoals) {
  return { goals: [...goals], funnels: funnels.map(({ name, steps }) => ({ name, steps: [...steps] })) };
}

/** A list with one entry moved; the same list if there is no place for it. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const [one, other] = [list[index], list[index + by]];
  if (one === undefined || other === undefined) return list;
  return list.map((entry, at) => (at === index ? other : at === index + by ? one : entry));
}

/** A step as people read it. */
export function stepName({ value, property }: OwnStep): string {
  return property === undefined ? value : `${value} (${property.name}: ${property.value})`;
}

/** A step in the form of calls. A page that ends in * matches every page with that prefix. */
export function stepMessage(step: OwnStep): MessageInitShape<typeof FunnelStepSchema> {
  const { kind, value, property } = step;
  const name = stepName(step);
  if (kind === "page") {
    const page = value.endsWith("*") ? { path: value.slice(0, -1), op: "starts_with" as const } : { path: value };
    return { name, action: { case: "page", value: page } };
  }
  const wanted = { kind: { case: "stringValue", value: property?.value ?? "" } } as const;
  return {
    name,
    action: { case: "event", value },
    filters: property === undefined ? [] : [{ field: `properties.${property.name}`, op: "eq", value: wanted }],
  };
}
