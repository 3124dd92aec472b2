import { selectsEvents } from "../../../web/app/src/pages/dashboard/more/goals/steps.ts";
import { figureOf, keyOf, type PanelList } from "../../../web/app/src/pages/dashboard/panels/panelTypes.ts";
import { allLists, type OverviewAnswers, type Row } from "./overviewAnswers.ts";

/** The laws that figures beside each other keep (docs/user/queries.md, what the figures mean). Each broken one in a sentence. */
export function brokenLaws(answers: OverviewAnswers): string[] {
  const broken: string[] = [];
  const { summary, days, lists, goals, filters } = answers;
  const expectEqual = (what: string, found: unknown, expected: unknown) => {
    if (found !== expected) broken.push(`${what} is ${found}, not ${expected}`);
  };
  const expectAtMost = (what: string, found: number, most: number) => {
    if (found > most) broken.push(`${what} is ${found}, more than ${most}`);
  };
  const [visitors, sessions, pageviews] = ["unique_visitors", "sessions", "pageviews"].map((name) =>
    numberOf(summary, name),
  );
  const whole = { visitors: visitors ?? 0, sessions: sessions ?? 0, pageviews: pageviews ?? 0 };
  const pagesPerSession = Math.round((100 * whole.pageviews) / whole.sessions) / 100;
  expectEqual(
    "pages per session",
    summary["pages_per_session"],
    selectsEvents(filters) || whole.sessions === 0 ? null : pagesPerSession,
  );
  expectEqual("sessions of all days", sum(days, "sessions"), whole.sessions);
  expectEqual("page views of all days", sum(days, "pageviews"), whole.pageviews);
  if (sum(days, "visitors") < whole.visitors) broken.push("all days have fewer visitors than the range");
  for (const { list } of allLists) {
    const { rows } = lists.get(list.type) ?? {};
    if (rows === undefined || isApart(list)) continue;
    for (const figure of ["visitors", "sessions", "pageviews"] as const)
      for (const row of rows)
        if (typeof row[figure] === "number" && !(figure === "pageviews" && isOfPages(list)))
          expectAtMost(`${list.type} ${keyOf(list, row)} ${figure}`, row[figure], whole[figure]);
    if (list.type === "top_pages") expectEqual("page views of all pages", sum(rows, "pageviews"), whole.pageviews);
    if (list.visitField === undefined) continue;
    const compare = list.leavesOutUnknown === true ? expectAtMost : expectEqual;
    compare(`sessions of all ${list.type}`, sum(rows, "sessions"), whole.sessions);
    if (!isOfPages(list)) compare(`page views of all ${list.type}`, sum(rows, "pageviews"), whole.pageviews);
  }
  for (const { name, total } of goals) {
    expectEqual(`visitors of the goal ${name}`, total.visitors, whole.visitors);
    expectAtMost(`visitors who reach ${name}`, total.converted, total.visitors);
    const rate = total.visitors === 0 ? null : Math.round((10_000 * total.converted) / total.visitors) / 100;
    expectEqual(`rate of ${name}`, total.conversionRate, rate);
  }
  return broken;
}

/** What a row says must be what the overview says with the row's filter. */
export function brokenPromises(list: PanelList, row: Row, { summary, lists }: OverviewAnswers): string[] {
  const name = `${list.type} ${keyOf(list, row)}`;
  const same = lists.get(list.type)?.rows.find((other) => keyOf(list, other) === keyOf(list, row));
  const figures = list.columns.map(({ field }) => figureOf(row, field));
  const broken: string[] = [];
  const again = same === undefined ? "no row" : list.columns.map(({ field }) => figureOf(same, field)).join(" ");
  if (again !== figures.join(" ")) broken.push(`${name}: ${figures.join(" ")} becomes ${again} with its own filter`);
  if (isApart(list)) return broken;
  for (const [figure, total] of [
    ["visitors", "unique_visitors"],
    ["pageviews", "pageviews"],
    ["sessions", "sessions"],
  ] as const) {
    const isTotal = row[figure] !== undefined && !(figure === "pageviews" && isOfPages(list));
    if (isTotal && row[figure] !== summary[total])
      broken.push(`${name}: ${row[figure]} ${figure}, but ${summary[total]} in all`);
  }
  return broken;
}

/** Entry and exit pages call the sessions of a row page views too. */
function isOfPages({ type }: PanelList): boolean {
  return type === "entry_pages" || type === "exit_pages";
}

/** Errors count at their own time, and properties by their values. */
function isApart({ type }: PanelList): boolean {
  return /^error/.test(type) || type === "custom_event_properties" || type === "outbound_links";
}

function sum(rows: readonly Row[], figure: string): number {
  return rows.reduce((all, row) => all + (numberOf(row, figure) ?? 0), 0);
}

function numberOf(row: Row, figure: string): number | undefined {
  const value = row[figure];
  return typeof value === "number" ? value : undefined;
}
