import { useAnswer } from "../../../api/useAnswer.ts";
import { useDashboard } from "../context.ts";
import type { LocalTime } from "../view/days.ts";
import { compared } from "../view/question.ts";

/** The figures over time. One question answers the chart and the small line of each figure. */
export function useSeries() {
  const { view, scope, now, granularity, refresh, hasFigures } = useDashboard();
  const question = { ...compared(scope, view), granularity, parameters: ["events_by_date"] } as const;
  const answer = useAnswer(question, { refresh, isWanted: hasFigures.value });
  const current = (answer.rows ?? []).findIndex(({ date }) => isCurrent(date, now));
  return { question, answer, current };
}

export type Series = ReturnType<typeof useSeries>;

/** Whether a bucket is the day or the hour that it was when the view was opened. */
function isCurrent(bucket: string, { day, time }: LocalTime): boolean {
  return bucket === day || bucket.slice(0, 13) === `${day}T${time.slice(0, 2)}`;
}
