import type { ComparedRows } from "../../../../../../packages/client-js/src/query.ts";
import { ChangeText } from "../../../figures/changeText.tsx";
import { comparedTime } from "../../../figures/comparedTime.ts";
import { formatCount, formatPercent, formatShare } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import type { BarColumn } from "../../../ui/barTable.tsx";
import { NoValue } from "../../../ui/noValue.tsx";
import type { DashboardContext } from "../context.ts";
import { type AnyRow, figureOf, type PanelList } from "./panelTypes.ts";
import { columnsOf, type ShownRow, shareOf } from "./shownRows.ts";

type Known = Pick<DashboardContext, "view" | "goal" | "scope" | "visitors" | "isComparable">;

/** A column of a panel, by a name that is the same in each language. */
export type FigureColumn = BarColumn<ShownRow> & { readonly id: string };

/** The columns of a list: share, figures, how the first of them has changed, how many reach the goal, and of how many that is. */
export function figureColumns(
  list: PanelList,
  comparison: ComparedRows<AnyRow> | undefined,
  { view, goal, scope, visitors, isComparable }: Known,
  place: "panel" | "sheet",
): FigureColumn[] {
  const texts = t();
  const [main, ...others] = columnsOf(list, view.filters);
  if (main === undefined) return [];
  const figure = ({ field, name }: typeof main): FigureColumn => ({
    id: field,
    name: name(texts),
    value: ({ row }) => figureOf(row, field),
  });
  const shown = others.filter(({ isInPanel }) => place === "sheet" || isInPanel === true).map(figure);
  const hasGoal = goal !== undefined && list.carriesGoal === true;
  const share: FigureColumn = {
    id: "share",
    name: texts.panels.share,
    value: ({ row }) => shareOf(figureOf(row, main.field), visitors.value),
    format: formatShare,
    look: "quiet",
    // There is no room for five figures on a phone, and those of the goal are what was asked for.
    isWide: hasGoal && place === "panel",
  };
  const rate: FigureColumn = {
    id: "conversion_rate",
    name: texts.panels.rate,
    value: ({ row }) => figureOf(row, "conversion_rate"),
    format: formatPercent,
    look: "strong",
  };
  const conversions: FigureColumn = {
    id: "conversions",
    name: texts.panels.converted,
    heading: hasGoal && place === "panel" ? <GoalName name={goal.value} /> : undefined,
    value: ({ row }) => figureOf(row, "conversions"),
  };
  // Errors and vitals are also unknown for days before the first event.
  const canCompare = comparison?.isComplete === true && isComparable.value;
  return [
    ...(list.hasShare === true ? [share] : []),
    ...(place === "panel" ? shown : []),
    figure(main),
    ...(place === "sheet" ? shown : []),
    // It is that of the figures before it: after the rate it would be taken for the rate's.
    ...(canCompare
      ? [changeColumn(list, main.field, comparedTime(comparison, scope.timezone, texts), hasGoal && place === "panel")]
      : []),
    ...(hasGoal ? [conversions, rate] : []),
  ];
}

function changeColumn(list: PanelList, field: string, time: string, isWide: boolean): FigureColumn {
  const changeOf = ({ row, before }: ShownRow) => {
    const [now, then] = [figureOf(row, field), before === null ? null : figureOf(before, field)];
    return now === null || then === null || then === 0 ? null : (now - then) / then;
  };
  return {
    id: "change",
    name: t().panels.change,
    value: changeOf,
    look: "change",
    isWide,
    cell: ({ row, before }) => {
      const [now, then] = [figureOf(row, field), before === null ? null : figureOf(before, field)];
      if (now === null || then === null) return <NoValue />;
      return <ChangeText value={now} before={then} format={formatCount} moreIs={list.moreIs ?? "better"} time={time} />;
    },
  };
}

function GoalName({ name }: { readonly name: string }) {
  return (
    <span class="bar-goal" title={name}>
      {name}
    </span>
  );
}
