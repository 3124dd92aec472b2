import { useSignal } from "@preact/signals";
import { t } from "../texts/texts.ts";

type CopyButtonProps = {
  readonly text: string;
  /** What is copied, if it is not obvious. */
  readonly about?: string;
  readonly class?: string;
  /** The text on the button, if it is not just "Copy". */
  readonly label?: string;
};

/** Copies a text and says so. */
export function CopyButton({ text, about, class: look = "button", label }: CopyButtonProps) {
  const { copy } = t();
  const isCopied = useSignal(false);
  return (
    <button
      type="button"
      class={look}
      onBlur={() => {
        isCopied.value = false;
      }}
      onClick={(event) => {
        void copyText(text, event.currentTarget).then((isDone) => {
          isCopied.value = isDone;
        });
      }}
    >
      <span role="status">{isCopied.value ? copy.copied : (label ?? copy.copy)}</span>
      {about !== undefined && <span class="said"> {about}</span>}
    </button>
  );
}

/** Browsers offer the clipboard only to pages over TLS and on localhost; elsewhere the text is copied through a selection. */
async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  if (navigator.clipboard !== undefined)
    return await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "said";
  // Next to the button: while a dialog is open, nothing outside it can be selected.
  button.after(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  button.focus();
  return isDone;
}
