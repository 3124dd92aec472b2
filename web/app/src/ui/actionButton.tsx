import type { ComponentChildren } from "preact";
import { ErrorNotice } from "./errorNotice.tsx";
import { useSending } from "./useSending.ts";

type ActionButtonProps = {
  readonly class?: string;
  /** What the button is about, where its text does not say it: the name of the row. */
  readonly about?: string;
  readonly onAct: () => Promise<void>;
  readonly children: ComponentChildren;
};

/** A button that makes a call, once at a time, and says next to it why the call failed. */
export function ActionButton({ class: look = "button", about, onAct, children }: ActionButtonProps) {
  const { isSending, error, send } = useSending();
  return (
    <>
      <button type="button" class={look} disabled={isSending} onClick={() => void send(onAct)}>
        {children}
        {about !== undefined && <span class="said"> {about}</span>}
      </button>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  );
}
