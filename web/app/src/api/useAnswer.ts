import { useEffect, useMemo } from "preact/hooks";
import type {
  AnswerHint,
  ComparedRows,
  LookoutQuery,
  Parameter,
  ParameterAnswer,
  QueryAnswer,
  QueryTypeName,
  UnknownTime,
} from "../../../../packages/client-js/src/query.ts";
import type { Rows } from "../../../../packages/client-js/src/rows.ts";
import { query } from "./client.ts";
import { takeEarlyAnswer } from "./earlyAnswers.ts";
import { failedAnswer } from "./failedAnswer.ts";
import { dropFirstAnswer, firstAnswerTo } from "./pageStart.ts";
import { type CallOptions, type CallState, useCall } from "./useCall.ts";

type OneParameter<N extends QueryTypeName> = LookoutQuery<readonly [Parameter & (N | { readonly name: N })]>;

export type AnswerState<R> = Omit<CallState<readonly R[]>, "value" | "reload"> & {
  readonly rows: readonly R[] | undefined;
  /** Times whose events are unknown. */
  readonly unknown: readonly UnknownTime[];
  /** Undefined until known, and for questions without `compare`. */
  readonly comparison: ComparedRows<R> | undefined;
  /** What to know about the answer, such as names that no event has. */
  readonly hints: readonly AnswerHint[];
  readonly retry: () => void;
};

/** Asks a question with one parameter, and again when it changes. Rows of another question are never shown. An answer that the page has in it is shown at once. */
export function useAnswer<N extends QueryTypeName>(
  question: OneParameter<N>,
  options: CallOptions = {},
): AnswerState<Rows[N]> {
  const given = useMemo(() => firstAnswerOf<N>(question), []);
  const { value, reload, ...state } = useCall(JSON.stringify(question), (signal) => ask<N>(question, signal), {
    ...options,
    given,
  });
  useEffect(() => {
    if (given !== undefined) dropFirstAnswer();
  }, [given]);
  const { rows, unknown = [], comparison, hints = [] } = value ?? {};
  return { ...state, rows, unknown, comparison, hints, retry: reload };
}

type Answer<R> = {
  readonly rows: readonly R[];
  readonly unknown: readonly UnknownTime[];
  readonly comparison: ComparedRows<R> | undefined;
  readonly hints: readonly AnswerHint[];
};

/** Asks a question with one parameter once. Rejects with a LookoutError when it is refused. */
export async function ask<N extends QueryTypeName>(
  question: OneParameter<N>,
  signal: AbortSignal,
): Promise<Answer<Rows[N]>> {
  return answerOf<N>(await (takeEarlyAnswer(question) ?? query(question, { signal })));
}

/** Undefined also for an answer that only says what is wrong: that is asked again. */
function firstAnswerOf<N extends QueryTypeName>(question: OneParameter<N>): Answer<Rows[N]> | undefined {
  try {
    const given = firstAnswerTo(question);
    return given === undefined ? undefined : answerOf<N>(given);
  } catch {
    return undefined;
  }
}

function answerOf<N extends QueryTypeName>({ data, unknown, hints }: QueryAnswer): Answer<Rows[N]> {
  const [answer] = data as unknown as readonly [ParameterAnswer<N>];
  if (!answer.success) throw failedAnswer(answer);
  return { rows: answer.data, unknown, comparison: answer.comparison ?? undefined, hints };
}
