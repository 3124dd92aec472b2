import { useSignal } from "@preact/signals";
import { t } from "../texts/texts.ts";

type CopyButtonProps = {
  readonly text: string;
  /** What is copied, where it is not obvious. */
  readonly about?: string;
  readonly class?: string;
};

/** Copies a text and says so. */
export function CopyButton({ text, about, class: look = "button" }: CopyButtonProps) {
  const { copy } = t();
  const isCopied = useSignal(false);
  return (
    <button
      type="button"
      class={look}
      onBlur={() => {
        isCopied.value = false;
      }}
      onClick={() => {
        void navigator.clipboard?.writeText(text).then(() => {
          isCopied.value = true;
        });
      }}
    >
      <span role="status">{isCopied.value ? copy.copied : copy.copy}</span>
      {about !== undefined && <span class="said"> {about}</span>}
    </button>
  );
}
