import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { t } from "../texts/texts.ts";
import { ErrorNotice } from "./errorNotice.tsx";
import { useSending } from "./useSending.ts";

type ConfirmButtonProps = {
  /** The text of the button, and of the one that confirms. */
  readonly label: string;
  /** The object of the button, if its text does not name it: the name of the row. */
  readonly about?: string;
  readonly title: string;
  /** What will happen. */
  readonly text: ComponentChildren;
  readonly class?: string;
  readonly onConfirm: () => Promise<void>;
};

/** A button that asks before it does something that cannot be undone. */
export function ConfirmButton({ label, about, title, text, class: look = "button", onConfirm }: ConfirmButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { isSending, error, send, clearError } = useSending();
  const confirm = async (): Promise<void> => {
    await onConfirm();
    dialog.current?.close();
  };
  return (
    <>
      <button type="button" class={look} onClick={() => dialog.current?.showModal()}>
        {label}
        {about !== undefined && <span class="said"> {about}</span>}
      </button>
      <dialog ref={dialog} class="dialog dialog-small" aria-labelledby={titleId} onClose={clearError}>
        <div class="stack">
          <h2 id={titleId}>{title}</h2>
          <p>{text}</p>
          {error !== undefined && <ErrorNotice error={error} />}
          <div class="dialog-foot">
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              {t().form.cancel}
            </button>
            <button type="button" class="button button-bad" disabled={isSending} onClick={() => void send(confirm)}>
              {label}
            </button>
          </div>
        </div>
      </dialog>
    </>
  );
}
