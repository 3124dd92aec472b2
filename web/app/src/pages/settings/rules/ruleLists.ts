import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";

/** The lists of a website's rules, in the order of the form. */
export const lists = ["networks", "countries", "hosts", "onlyHosts", "paths", "referrers", "userAgents"] as const;

export type List = (typeof lists)[number];

export type Rules = Readonly<Record<List, string[]>>;

export function rulesOf({ rules }: Website): Rules {
  return Object.fromEntries(lists.map((list) => [list, rules?.[list] ?? []])) as unknown as Rules;
}

/** The rules of a form: each line of a text is a value. */
export function readRules(textOf: (list: List) => string): Rules {
  return Object.fromEntries(lists.map((list) => [list, linesOf(textOf(list))])) as unknown as Rules;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
