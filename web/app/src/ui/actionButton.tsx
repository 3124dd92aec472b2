import type { ComponentChildren } from "preact";
import { ErrorNotice } from "./errorNotice.tsx";
import { useSending } from "./useSending.ts";

type ActionButtonProps = {
  readonly class?: string;
  /** The object of the button, if its text does not name it: the name of the row. */
  readonly about?: string;
  readonly onAct: () => Promise<void>;
  readonly children: ComponentChildren;
};

/** A button that makes one call at a time, and shows next to it why the call failed. */
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
