import { useEffect } from "preact/hooks";
import { useAnswer } from "../../../api/useAnswer.ts";
import { comparedTime } from "../../../figures/comparedTime.ts";
import { t } from "../../../texts/texts.ts";
import { useLate } from "../../../ui/useLate.ts";
import { useDashboard } from "../context.ts";
import { live, patienceMs } from "../live.ts";
import { keyFiguresQuestion } from "../view/question.ts";

/** The key figures, and those of the other period. Tells the other parts when they are here and whether they may be compared. */
export function useKeyFigures() {
  const { view, scope, subject, refresh, hasFigures, isRangeUnknown, isComparable, visitors, failure } = useDashboard();
  const current = useAnswer(keyFiguresQuestion(scope, view), { refresh });
  const { comparison } = current;
  const isAnswered = current.rows !== undefined || current.error !== undefined;
  useEffect(() => {
    if (isAnswered) hasFigures.value = true;
  }, [isAnswered, hasFigures]);
  // The stream is never staler than the answer.
  const row = live.value.summary ?? current.rows?.[0];
  const isUnknown = row?.unique_visitors === null;
  const isComplete = comparison?.isComplete === true;
  useEffect(() => {
    isRangeUnknown.value = isUnknown;
    isComparable.value = isComplete;
    visitors.value = row?.unique_visitors;
  }, [isUnknown, isComplete, row?.unique_visitors, isRangeUnknown, isComparable, visitors]);
  const error = current.rows === undefined ? current.error : undefined;
  useEffect(() => {
    failure.value = error;
  }, [error, failure]);
  return {
    row,
    before: isComplete ? comparison.data[0] : undefined,
    /** Whether nothing is known of the range. */
    isUnknown,
    /** The time of the earlier figures. */
    time: comparison === undefined ? "" : comparedTime(comparison, subject.timezone, t()),
    comparison,
    unknown: current.unknown,
    /** The visitors of the answer, which do not change with each visit. */
    visitors: current.rows?.[0]?.unique_visitors,
    error,
    retry: current.retry,
    isLate: useLate(row === undefined && error === undefined, patienceMs),
  };
}
