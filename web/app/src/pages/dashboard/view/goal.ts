import type { Goal } from "../../../../../../packages/client-js/src/query.ts";

/** What a visitor has to do: view a page, or cause a custom event. */
export type Step = { readonly kind: "page" | "event"; readonly value: string };

/** A goal in an address: `event:signup` or `page:/thanks`. The value may contain colons. */
export function writeGoal({ kind, value }: Step): string {
  return `${kind}:${value}`;
}

/** Undefined for a text that is not a goal. */
export function readGoal(text: string | null): Step | undefined {
  const [, kind, value = ""] = /^(page|event):(.+)$/s.exec(text ?? "") ?? [];
  return kind === "page" || kind === "event" ? { kind, value } : undefined;
}

export function isSameGoal(one: Step | undefined, other: Step | undefined): boolean {
  return one?.kind === other?.kind && one?.value === other?.value;
}

/** A goal in the form of queries. A page that ends in * matches every page with that prefix. */
export function queryGoal({ kind, value }: Step): Goal {
  if (kind === "event") return { event: value };
  return { page: value.endsWith("*") ? { path: value.slice(0, -1), op: "starts_with" } : { path: value, op: "eq" } };
}
