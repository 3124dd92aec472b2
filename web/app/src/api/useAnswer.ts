import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type {
  LookoutQuery,
  Parameter,
  ParameterAnswer,
  QueryTypeName,
} from "../../../../packages/client-js/src/query.ts";
import type { Rows } from "../../../../packages/client-js/src/rows.ts";
import { errorOf, LookoutError, query } from "./client.ts";

/** What is known of an answer: rows may be shown while newer ones are on their way, or after those have failed. */
export type AnswerState<R> = {
  readonly rows: readonly R[] | undefined;
  readonly error: LookoutError | undefined;
  readonly isLoading: boolean;
};

type OneParameter<N extends QueryTypeName> = LookoutQuery<readonly [Parameter & (N | { readonly name: N })]>;

/**
 * Asks a question with one parameter, and again when it changes or `refresh` does. While `isWanted` is false nothing is
 * asked. Rows of another question are never shown; those of the same question stay while it is asked again.
 */
export function useAnswer<N extends QueryTypeName>(
  question: OneParameter<N>,
  { refresh = 0, isWanted = true }: { readonly refresh?: number; readonly isWanted?: boolean } = {},
): AnswerState<Rows[N]> & { readonly retry: () => void } {
  const key = JSON.stringify(question);
  const answer = useSignal<{ readonly key: string; readonly state: AnswerState<Rows[N]> }>({ key: "", state: waiting });
  const retries = useSignal(0);
  const asked = useRef(question);
  asked.current = question;
  const retryCount = retries.value;
  useEffect(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    const before = answer.peek();
    const rows = before.key === key ? before.state.rows : undefined;
    answer.value = { key, state: { rows, error: undefined, isLoading: true } };
    ask(asked.current, stop.signal).then(
      (fresh) => {
        answer.value = { key, state: { rows: fresh, error: undefined, isLoading: false } };
      },
      (thrown: unknown) => {
        if (stop.signal.aborted) return;
        answer.value = { key, state: { rows, error: errorOf(thrown), isLoading: false } };
      },
    );
    return () => stop.abort();
  }, [key, refresh, isWanted, retryCount]);
  const state = answer.value.key === key ? answer.value.state : waiting;
  return {
    ...state,
    retry: () => {
      retries.value++;
    },
  };
}

const waiting = { rows: undefined, error: undefined, isLoading: true } as const;

async function ask<N extends QueryTypeName>(
  question: OneParameter<N>,
  signal: AbortSignal,
): Promise<readonly Rows[N][]> {
  const { data } = await query(question, { signal });
  const [answer] = data as unknown as readonly [ParameterAnswer<N>];
  if (!answer.success) throw new LookoutError("QUERY_ERROR", answer.error);
  return answer.data;
}
