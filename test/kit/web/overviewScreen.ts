import type { Page } from "puppeteer-core";
import { type ChangeUnit, changeOf } from "../../../web/app/src/figures/change.ts";
import { figures } from "../../../web/app/src/pages/dashboard/figures/figures.ts";
import { formatMoney } from "../../../web/app/src/pages/dashboard/more/goals/formatMoney.ts";
import { panels } from "../../../web/app/src/pages/dashboard/panels/panels.ts";
import { type AnyRow, figureOf, type PanelList } from "../../../web/app/src/pages/dashboard/panels/panelTypes.ts";
import { fewRows } from "../../../web/app/src/pages/dashboard/panels/rowCount.ts";
import { lacksPageViews, shareOf, sortedRows } from "../../../web/app/src/pages/dashboard/panels/shownRows.ts";
import { saysNothing } from "../../../web/app/src/pages/dashboard/view/pageViews.ts";
import { texts } from "../../../web/app/src/texts/en.ts";
import {
  formatCount,
  formatDays,
  formatPercent,
  formatShare,
  formatShortCount,
  formatTenths,
} from "../../../web/app/src/texts/format.ts";
import type { GoalAnswer, OverviewAnswers } from "./overviewAnswers.ts";

/** What the overview shows, as it is written: key figures with their change, and the rows of each panel, or what it says instead of rows. */
export type OverviewScreen = {
  readonly figures: readonly string[];
  readonly panels: Readonly<Record<string, readonly (readonly string[])[] | string>>;
};

/** Reads the overview at once, so that no part is newer than another. */
export async function shownOverview(page: Page): Promise<OverviewScreen> {
  return await page.evaluate(() => {
    const textOf = (element: Element | null) => (element?.textContent ?? "").trim();
    const rowsOf = (panel: Element) =>
      [...panel.querySelectorAll("tbody tr, [data-goal]")].map((row) =>
        [...row.querySelectorAll("th, td, .goal-name, .goal-of, .goal-rate, .goal-change")].map(textOf),
      );
    const shown = [...document.querySelectorAll<HTMLElement>("[data-panel]")].map((panel) => {
      const empty = panel.querySelector(".panel-empty");
      return [panel.dataset["panel"] ?? "", empty === null ? rowsOf(panel) : textOf(empty)] as const;
    });
    return {
      figures: [...document.querySelectorAll(".figures .figure")].map(
        (figure) => textOf(figure.querySelector(".figure-value")) + textOf(figure.querySelector(".figure-change")),
      ),
      panels: Object.fromEntries(shown),
    };
  });
}

/** The days that a range is compared with, as they are written. */
export type ComparedDays = { readonly first: string; readonly last: string };

/**
 * What the overview must show of the API's answers; each panel its first list, or the one whose type is in `lists`. Panels that show
 * no answers of queries are left out.
 */
export function expectedOverview(
  answers: OverviewAnswers,
  days: ComparedDays,
  lists: readonly string[] = [],
): OverviewScreen {
  const { summary, summaryBefore } = answers;
  const written = texts.dashboard.comparedTime(formatDays(days.first, days.last), false, undefined);
  const shownLists = panels.map(({ id, lists: all }) => {
    const list = all.find(({ type }) => lists.includes(type)) ?? all[0];
    if (list === undefined) throw new Error(`the panel ${id} has no list`);
    return [id, shownList(list, answers, written)] as const;
  });
  return {
    figures: figures.map(({ metric, field, format, moreIs, changesIn }) => {
      const [now, before] = [summary[field], summaryBefore[field]];
      if (typeof now !== "number" || saysNothing(metric, answers.filters)) return "–no value";
      return (
        format(now) +
        (typeof before === "number" ? changeText(now, before, { format, moreIs, unit: changesIn, time: written }) : "")
      );
    }),
    panels: {
      ...Object.fromEntries(shownLists),
      goals: answers.goals.map((goal) => goalRow(goal, written)),
    },
  };
}

function shownList(list: PanelList, { lists, filters, summary }: OverviewAnswers, time: string): string[][] | string {
  const answer = lists.get(list.type);
  if (answer === undefined) return "not filterable";
  if (lacksPageViews(list, filters)) return texts.panels.noPageViews;
  if (answer.rows.length === 0) return filters.length === 0 ? texts.panels.empty : texts.panels.emptyFiltered;
  const comparison =
    answer.before === undefined ? undefined : { isComplete: true, data: answer.before as unknown as AnyRow[] };
  const [main, ...others] = list.columns;
  if (main === undefined) throw new Error(`${list.type} has no column`);
  const shown = others.filter(({ isInPanel }) => isInPanel === true);
  return sortedRows(list, answer.rows as unknown as AnyRow[], comparison)
    .slice(0, fewRows)
    .map(({ row, before }) => {
      const now = figureOf(row, main.field);
      const share = shareOf(now, figureOf(summary, "unique_visitors"));
      return [
        list.label(row as never, texts),
        ...(list.hasShare === true ? [share === null ? noValue : formatShare(share)] : []),
        ...shown.map(({ field }) => count(figureOf(row, field))),
        count(now),
        ...(comparison === undefined ? [] : [change(now, before === null ? null : figureOf(before, main.field))]),
      ];
    });

  function change(now: number | null, before: number | null): string {
    if (now === null || before === null) return noValue;
    return changeText(now, before, { format: formatCount, moreIs: list.moreIs ?? "better", time });
  }
}

const noValue = "–no value";

function count(value: number | null): string {
  return value === null ? noValue : formatShortCount(value);
}

function goalRow({ name, total, before }: GoalAnswer, time: string): string[] {
  const { converted, visitors, conversionRate, revenue } = total;
  const sums = name === "purchase" ? revenue.map(({ amount, currency }) => formatMoney(amount, currency)).join("") : "";
  return [
    name,
    conversionRate === null ? noValue : formatPercent(conversionRate),
    texts.more.reachedOf(formatCount(converted), formatCount(visitors)) + sums,
    rateChange(total, before, time),
  ];
}

function rateChange({ conversionRate: now }: Figures, { conversionRate: before }: Figures, time: string): string {
  if (now === null || before === null) return "";
  return changeText(now, before, { format: formatPercent, moreIs: "better", unit: "points", time });
}

type Figures = GoalAnswer["total"];

type ChangeForm = {
  readonly format: (value: number) => string;
  readonly moreIs: "better" | "worse";
  readonly unit?: ChangeUnit | undefined;
  /** The other time, as it is written. */
  readonly time: string;
};

function changeText(now: number, before: number, { format, moreIs, unit = "percent", time }: ChangeForm): string {
  const compared = texts.dashboard.comparedWith(format(before), time);
  const explanation = unit === "points" ? texts.dashboard.inPoints(compared) : compared;
  const change = changeOf(now, before, { moreIs, unit });
  if (change === undefined) return `${texts.dashboard.fromNothing} ${explanation}`;
  const { size } = change;
  const { up, down, same } = texts.dashboard.directions;
  const direction = size > 0 ? `↑ ${up}` : size < 0 ? `↓ ${down}` : same;
  const most = Math.abs(size);
  const written =
    unit === "points" ? texts.dashboard.points(formatTenths(most)) : formatPercent(most, most < 10 ? 1 : 0);
  return `${direction} ${written} ${explanation}`;
}

/** Without what the two cannot have in common: the panels that show no queries, and how it is said that a list cannot be filtered. */
export function comparableScreen(
  { panels: shown, ...screen }: OverviewScreen,
  expected: OverviewScreen,
): OverviewScreen {
  const names = Object.keys(expected.panels);
  const kept = names.map((name) => {
    const rows = shown[name] ?? "no panel";
    return [
      name,
      typeof rows === "string" && rows.startsWith("These figures cannot be filtered") ? "not filterable" : rows,
    ];
  });
  return { ...screen, panels: Object.fromEntries(kept) };
}
