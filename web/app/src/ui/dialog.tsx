import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { CloseDialog } from "./closeDialog.ts";

type DialogProps = {
  readonly title: string;
  /** A sheet has the whole height, beside the page. */
  readonly look?: "sheet";
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A modal window while it is rendered. Escape closes it, as does the second button of a form in it, and the focus returns to where it was. */
export function Dialog({ title, look, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    return () => {
      // The action may have removed the opener.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else document.getElementById("main")?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog ref={element} class={look === "sheet" ? "dialog sheet" : "dialog"} aria-labelledby={id} onClose={onClose}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        <CloseDialog.Provider value={onClose}>{children}</CloseDialog.Provider>
      </div>
    </dialog>
  );
}
