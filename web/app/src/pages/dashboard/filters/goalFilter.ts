import type { ViewFilter } from "../view/filter.ts";
import type { Step } from "../view/goal.ts";

/** The choice of goals in the form. The filter that it makes is one on events or on pages, since those reach a goal. */
export const goalField = "goal";

/** Whether one filter can select visits that reached any of both: two events, or two pages. A page that ends in * stands for many, and is alone. */
export function fitsBeside(one: Step, other: Step): boolean {
  return one.kind === other.kind && !isPrefix(one) && !isPrefix(other);
}

/** The filter that selects what reaches any of these goals; undefined without a goal, and for goals that no single filter selects. */
export function goalFilterOf(goals: readonly Step[]): ViewFilter | undefined {
  const [first, ...others] = goals;
  if (first === undefined || !others.every((other) => fitsBeside(first, other))) return undefined;
  if (isPrefix(first)) {
    const start = first.value.slice(0, -1);
    // Every page begins with nothing.
    return start === "" ? { field: "path", op: "is_not_empty" } : { field: "path", op: "starts_with", value: start };
  }
  const field = first.kind === "event" ? "event_name" : "path";
  const values = goals.map(({ value }) => value);
  return others.length === 0 ? { field, op: "eq", value: first.value } : { field, op: "in", value: values };
}

function isPrefix({ kind, value }: Step): boolean {
  return kind === "page" && value.endsWith("*");
}
