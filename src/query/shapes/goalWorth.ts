import type { GoalRevenueInit } from "../../gen/lookout/services.ts";
import type { TextRow } from "../../store/questdb/questdbReader.ts";
import { finelyRounded } from "../../text/rounded.ts";
import { type GoalKey, type GoalWorth, worthStatement } from "../goals/goalsStatement.ts";
import type { Step } from "../goals/steps.ts";
import type { PreparedStatement } from "../plan/preparedAnswer.ts";
import type { VisitScope } from "../visits/visitsSql.ts";

type Sum = { amount: number; completions: number };

/** More currencies of one goal are left out, those with the smallest amounts. */
const maxCurrencies = 20;

/** What the completions of a goal are worth for a key, each currency by itself, largest amount first. */
export type Revenue = (key: string, goal: number) => GoalRevenueInit[];

/** The statement that adds up what completions of goals are worth, and what it found once it was read. Only the keys that `isShown` accepts are held in memory. */
export function worthOf(
  goals: readonly Step[],
  scope: VisitScope,
  key: GoalKey | undefined,
  { worth, isShown }: { readonly worth: GoalWorth; readonly isShown: (key: string) => boolean },
): { readonly statement: Required<PreparedStatement>; readonly revenue: Revenue } {
  const sums = new Map<string, Map<string, Sum>>();
  const each = ([mask, currency, amount, events, value]: TextRow): void => {
    if (!isShown(value ?? "")) return;
    for (let goal = 0; goal < goals.length; goal += 1)
      if ((Number(mask) & (1 << goal)) !== 0)
        add(sums, placeOf(value ?? "", goal), currency ?? "", { amount: Number(amount), completions: Number(events) });
  };
  const revenue: Revenue = (shownKey, goal) =>
    [...(sums.get(placeOf(shownKey, goal)) ?? [])]
      .map(([currency, { amount, completions }]) => ({ currency, amount: finelyRounded(amount), completions }))
      .sort((a, b) => b.amount - a.amount || (a.currency < b.currency ? -1 : 1))
      .slice(0, maxCurrencies);
  return { statement: { ...worthStatement(goals, scope, key, worth), each }, revenue };
}

function placeOf(key: string, goal: number): string {
  return `${goal} ${key}`;
}

function add(sums: Map<string, Map<string, Sum>>, place: string, currency: string, more: Sum): void {
  const byCurrency = sums.get(place) ?? new Map<string, Sum>();
  sums.set(place, byCurrency);
  const before = byCurrency.get(currency) ?? { amount: 0, completions: 0 };
  byCurrency.set(currency, {
    amount: before.amount + more.amount,
    completions: before.completions + more.completions,
  });
}
