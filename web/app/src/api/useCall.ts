import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { errorOf, type LookoutError } from "./client.ts";

/** The state of an answer. It may be shown while a newer one is loading, or after that has failed. */
export type CallState<T> = {
  readonly value: T | undefined;
  readonly error: LookoutError | undefined;
  readonly isLoading: boolean;
  /** Asks again. */
  readonly reload: () => void;
};

type Known<T> = Omit<CallState<T>, "reload">;

export type CallOptions<T = never> = {
  /** Asks again when it changes. */
  readonly refresh?: number;
  /** While it is false, nothing is asked. */
  readonly isWanted?: boolean;
  /** What is known already for the first key, so that it is not asked. */
  readonly given?: T | undefined;
};

/**
 * Makes a call, and again when `key` changes, which names the question. An answer to another question is never shown; an answer
 * to the same question stays visible while it is asked again.
 */
export function useCall<T>(
  key: string,
  call: (signal: AbortSignal) => Promise<T>,
  { refresh = 0, isWanted = true, given }: CallOptions<T> = {},
): CallState<T> {
  const answer = useSignal<{ readonly key: string; readonly known: Known<T> }>(
    given === undefined
      ? { key: "", known: waiting }
      : { key, known: { value: given, error: undefined, isLoading: false } },
  );
  const isGiven = useRef(given !== undefined);
  const reloads = useSignal(0);
  const asked = useRef(call);
  asked.current = call;
  const reloadCount = reloads.value;
  useEffect(() => {
    if (!isWanted) return;
    if (isGiven.current) {
      isGiven.current = false;
      return;
    }
    const stop = new AbortController();
    const before = answer.peek();
    const value = before.key === key ? before.known.value : undefined;
    answer.value = { key, known: { value, error: undefined, isLoading: true } };
    asked.current(stop.signal).then(
      (fresh) => {
        if (stop.signal.aborted) return;
        answer.value = { key, known: { value: fresh, error: undefined, isLoading: false } };
      },
      (thrown: unknown) => {
        if (stop.signal.aborted) return;
        answer.value = { key, known: { value, error: errorOf(thrown), isLoading: false } };
      },
    );
    return () => stop.abort();
  }, [key, refresh, isWanted, reloadCount]);
  const known = answer.value.key === key ? answer.value.known : waiting;
  return {
    ...known,
    reload: () => {
      reloads.value++;
    },
  };
}

const waiting = { value: undefined, error: undefined, isLoading: true } as const;
