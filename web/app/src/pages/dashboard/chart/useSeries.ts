import { useAnswer } from "../../../api/useAnswer.ts";
import { useDashboard } from "../context.ts";
import { currentBucketAt } from "../view/currentBucketAt.ts";
import { compared } from "../view/question.ts";

/** The figures over time. One question answers the chart and the small line of each figure. */
export function useSeries() {
  const { view, scope, days, now, granularity, refresh, hasFigures } = useDashboard();
  const question = { ...compared(scope, view), granularity, parameters: ["events_by_date"] } as const;
  const answer = useAnswer(question, { refresh, isWanted: hasFigures.value });
  const buckets = (answer.rows ?? []).map(({ date }) => date);
  const current = currentBucketAt(buckets, now, days.last >= now.day);
  return { question, answer, current };
}

export type Series = ReturnType<typeof useSeries>;
