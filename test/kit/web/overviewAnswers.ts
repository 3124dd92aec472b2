import { panels } from "../../../web/app/src/pages/dashboard/panels/panels.ts";
import type { PanelList } from "../../../web/app/src/pages/dashboard/panels/panelTypes.ts";
import type { ViewFilter } from "../../../web/app/src/pages/dashboard/view/filter.ts";

export type Row = Readonly<Record<string, number | string | null>>;

/** Whole days (YYYY-MM-DD, UTC), the last one included. */
export type Days = { readonly startDate: string; readonly endDate: string };

/** Makes a call of the API and answers its body; fails unless it is answered 200. */
export type Call = (path: string, body: object) => Promise<unknown>;

/** What the API says about all that the overview shows, with some filters. */
export type OverviewAnswers = {
  readonly filters: readonly ViewFilter[];
  readonly summary: Row;
  readonly summaryBefore: Row;
  readonly days: readonly Row[];
  /** By query type; undefined where the type cannot be filtered so. */
  readonly lists: ReadonlyMap<string, ListAnswer | undefined>;
  readonly goals: readonly GoalAnswer[];
};

/** `before` has a row for each row, undefined where the type is not compared. */
export type ListAnswer = { readonly rows: readonly Row[]; readonly before: readonly Row[] | undefined };

type Figures = {
  readonly visitors: number;
  readonly converted: number;
  readonly conversionRate: number | null;
  readonly revenue: readonly { readonly currency: string; readonly amount: number }[];
};

export type GoalAnswer = { readonly name: string; readonly total: Figures; readonly before: Figures };

type Comparison = { readonly complete: boolean; readonly data: readonly Row[] };
type Parameter = {
  readonly parameter: string;
  readonly success: boolean;
  readonly error?: string;
  readonly data: readonly Row[] | null;
  readonly comparison?: Comparison | null;
};

/** All lists of all panels, each with its panel. */
export const allLists: readonly { readonly panel: string; readonly list: PanelList }[] = panels.flatMap(
  ({ id, lists }) => lists.map((list) => ({ panel: id, list })),
);

/** The goals of the demo website, and what they are worth. */
const goals = ["signed_up", "purchase", "newsletter_subscribed"];
const value = { property: "value", currencyProperty: "currency" };

/** More rows than any list of the demo has. */
const allRows = 1_000;

/** Query types per request: one may take 30 s, on a busy machine too. */
const typesAtOnce = 5;

/** Asks for everything. Rejects where a type fails for another reason than its filters. */
export async function askOverview(
  call: Call,
  websiteId: string,
  days: Days,
  filters: readonly ViewFilter[],
): Promise<OverviewAnswers> {
  const types = allLists.map(({ list }) => list.type);
  const question = { ...days, filters, compare: "previous" };
  const asked = ["summary_metrics", "events_by_date", ...types];
  const found: Parameter[] = [];
  for (let from = 0; from < asked.length; from += typesAtOnce) {
    const parameters = asked.slice(from, from + typesAtOnce);
    const body = { ...question, limit: allRows, parameters };
    const { data } = (await call(`/v1/query?website_id=${websiteId}`, body)) as { data: readonly Parameter[] };
    found.push(...data);
  }
  const counted = (await call(`/v1/query/goals?website_id=${websiteId}`, {
    ...question,
    value,
    goals: goals.map((event) => ({ event })),
  })) as { goals: readonly GoalAnswer[]; comparison: { goals: readonly { total: Figures }[] } };
  const byType = new Map(found.map((parameter) => [parameter.parameter, parameter]));
  const summary = byType.get("summary_metrics");
  return {
    filters,
    summary: summary?.data?.[0] ?? {},
    summaryBefore: summary?.comparison?.data[0] ?? {},
    days: byType.get("events_by_date")?.data ?? [],
    lists: new Map(types.map((type) => [type, listAnswer(byType.get(type))])),
    goals: counted.goals.map((goal, index) => ({
      ...goal,
      before: counted.comparison.goals[index]?.total ?? goal.total,
    })),
  };
}

function listAnswer(parameter: Parameter | undefined): ListAnswer | undefined {
  const { success, data, error = "", comparison } = parameter ?? {};
  if (success === true && data !== undefined && data !== null)
    return { rows: data, before: comparison?.complete === true ? comparison.data : undefined };
  // A question that was stopped names filters too: "add filters".
  if (!/filter/i.test(error) || /was stopped/.test(error)) throw new Error(`${parameter?.parameter} fails: ${error}`);
  return undefined;
}
