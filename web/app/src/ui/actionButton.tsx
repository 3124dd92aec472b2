import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { errorOf, type LookoutError } from "../api/client.ts";
import { ErrorNotice } from "./errorNotice.tsx";

type ActionButtonProps = {
  readonly class?: string;
  /** What the button is about, where its text does not say it: the name of the row. */
  readonly about?: string;
  readonly onAct: () => Promise<void>;
  readonly children: ComponentChildren;
};

/** A button that makes a call, once at a time, and says next to it why the call failed. */
export function ActionButton({ class: look = "button", about, onAct, children }: ActionButtonProps) {
  const isSending = useSignal(false);
  const error = useSignal<LookoutError | undefined>(undefined);
  const act = async (): Promise<void> => {
    isSending.value = true;
    error.value = undefined;
    try {
      await onAct();
    } catch (thrown) {
      error.value = errorOf(thrown);
    } finally {
      isSending.value = false;
    }
  };
  return (
    <>
      <button type="button" class={look} disabled={isSending.value} onClick={() => void act()}>
        {children}
        {about !== undefined && <span class="said"> {about}</span>}
      </button>
      {error.value !== undefined && <ErrorNotice error={error.value} />}
    </>
  );
}
