import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A modal window for as long as it is drawn. Escape closes it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    return () => {
      // The opener may have gone with what was done.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else document.getElementById("main")?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onClose={onClose}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
