import { useSignal } from "@preact/signals";
import type { Rows } from "../../../../../../../packages/client-js/src/rows.ts";
import { useAnswer } from "../../../../api/useAnswer.ts";
import { t } from "../../../../texts/texts.ts";
import { useDashboard } from "../../context.ts";
import type { GoalRowsProps } from "../../panels/panelTypes.ts";
import { queryGoal } from "../../view/goal.ts";
import { compared } from "../../view/question.ts";
import { type RateRow, RateTable } from "./rateTable.tsx";

/** Only the most frequent rows are requested, since queries sort by views and events, not by conversions. */
const mostRows = 100;

/** Rows of events, such as pages. Shows how many of their visitors reach the chosen goal in the same visit, before or after. */
export function EventRows({ goal, list, isNear }: GoalRowsProps) {
  const { view, scope, refresh, hasFigures } = useDashboard();
  const texts = t();
  const showsAll = useSignal(false);
  const asked = { ...compared(scope, view), goal: queryGoal(goal), parameters: [list.type] } as const;
  const question = { ...asked, limit: mostRows };
  const {
    rows: found,
    comparison,
    retry,
    ...state
  } = useAnswer(question, {
    refresh,
    isWanted: isNear && hasFigures.value,
  });
  const before = comparison?.isComplete === true ? comparison.data : undefined;
  const rows = found
    ?.map((row, index): RateRow => {
      const figures = figuresOf(row);
      const other = before?.[index];
      return {
        key: list.key(row),
        label: list.label(row, texts),
        ...figures,
        visitors: figures.visitors ?? 0,
        before: other === undefined ? undefined : figuresOf(other),
        filters: list.filters?.(row) ?? [],
      };
    })
    .sort((one, other) => (other.converted ?? 0) - (one.converted ?? 0));
  return (
    <RateTable
      {...state}
      rowName={list.rowName(texts)}
      rows={rows}
      comparison={comparison}
      question={question}
      onRetry={retry}
      showsAll={showsAll}
      hint={rows?.length === mostRows ? texts.panels.ofMost(mostRows) : undefined}
    />
  );
}

type Figures = { readonly visitors: number | null; readonly converted: number | null; readonly rate: number | null };

/** Null if unknown. */
function figuresOf(row: object): Figures {
  const { visitors = null, conversions = null, conversion_rate = null } = row as Partial<Rows["top_pages"]>;
  return { visitors, converted: conversions, rate: conversion_rate };
}
