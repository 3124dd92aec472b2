import type { ExcludedTrafficByDayRow, ExcludedTrafficRow } from "../../../../../../../packages/client-js/src/rows.ts";
import { formatCount } from "../../../../texts/format.ts";
import type { Texts } from "../../../../texts/texts.ts";
import type { Fact } from "../lines/fact.ts";

type Counted = Pick<ExcludedTrafficRow, "reason" | "kind" | "name" | "operator" | "count">;

/** `rule` is the kind of the website's rule that left them out; empty for other reasons. */
export type ReasonCount = { readonly reason: string; readonly rule: string; readonly count: number };

/** How many events each reason, and each kind of the website's rules, left out, most first. */
export function reasonsOf(rows: readonly Counted[]): ReasonCount[] {
  const ruleOf = ({ reason, kind }: Counted) => (reason === "blocked_by_rule" ? kind : "");
  return [...Map.groupBy(rows, (row) => `${row.reason}\n${ruleOf(row)}`).values()]
    .flatMap((of) => of.slice(0, 1).map((row) => ({ reason: row.reason, rule: ruleOf(row), count: sumOf(of) })))
    .toSorted((one, other) => other.count - one.count);
}

/** The rows of bots, most events first. */
export function botsOf(rows: readonly Counted[]): Counted[] {
  return rows.filter(({ reason }) => reason === "bot").toSorted((one, other) => other.count - one.count);
}

/** The rows of AI systems, as the query type `ai_systems` has them. */
export function aiSystemsOf(rows: readonly Counted[]): Counted[] {
  return botsOf(rows).filter(({ kind }) => kind === "ai_crawler" || kind === "ai_agent");
}

export function sumOf(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

type Bucket = Pick<ExcludedTrafficByDayRow, "date" | "count">;

/** Whether nothing is known of any day: 0 would be wrong. */
export function isAllUnknown(days: readonly Bucket[]): boolean {
  return days.every(({ count }) => count === null);
}

/** The first day that was counted, if there are days before it of which nothing is known. */
export function firstCounted(days: readonly Bucket[]): string | undefined {
  const first = days.findIndex(({ count }) => count !== null);
  return first < 1 ? undefined : days[first]?.date;
}

/** How many reasons the closed line names. */
const saidReasons = 3;

/** How many events were left out, and the most frequent reasons. Empty if there were none. */
export function excludedFacts(rows: readonly Counted[], { excluded }: Texts): Fact[] {
  const count = sumOf(rows);
  if (count === 0) return [];
  return [
    { key: "all", figure: formatCount(count), after: excluded.leftOut(count), value: count },
    ...reasonsOf(rows.map((row) => ({ ...row, kind: "" })))
      .slice(0, saidReasons)
      .map((each) => ({
        key: each.reason,
        before: nameOf(excluded.reasons, each.reason),
        figure: formatCount(each.count),
        value: each.count,
      })),
  ];
}

/** The text of a reason or kind; a later service may answer one that has none here. */
export function nameOf(names: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(names, value) ? (names[value] ?? value) : value;
}
