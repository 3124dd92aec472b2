import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

type DialogProps = {
  readonly title: string;
  /** A sheet has the whole height, beside the page. */
  readonly look?: "sheet";
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A modal window while it is rendered. Escape closes it, and the focus returns to where it was. */
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
        {children}
      </div>
    </dialog>
  );
}
