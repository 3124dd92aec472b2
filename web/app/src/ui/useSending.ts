import { useSignal } from "@preact/signals";
import { errorOf, type LookoutError } from "../api/client.ts";

/** A call of a button or a form, one at a time, and why the last one failed. */
export type Sending = {
  readonly isSending: boolean;
  readonly error: LookoutError | undefined;
  /** Makes the call, unless one is running. Never rejects: the error of the call is in `error`. */
  readonly send: (call: () => Promise<void>) => Promise<void>;
  readonly clearError: () => void;
};

export function useSending(): Sending {
  const isSending = useSignal(false);
  const error = useSignal<LookoutError | undefined>(undefined);
  const send = async (call: () => Promise<void>): Promise<void> => {
    if (isSending.value) return;
    isSending.value = true;
    error.value = undefined;
    try {
      await call();
    } catch (thrown) {
      error.value = errorOf(thrown);
    } finally {
      isSending.value = false;
    }
  };
  const clearError = (): void => {
    error.value = undefined;
  };
  return { isSending: isSending.value, error: error.value, send, clearError };
}
