import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LookoutQuery } from "../../../../../../packages/client-js/src/query.ts";
import { baseUrl } from "../../../router/base.ts";
import { t } from "../../../texts/texts.ts";
import type { CallForm } from "./calls.ts";

const forms: readonly CallForm[] = ["curl", "grpc", "typescript"];

/** A button that shows what is on screen as a call of the API, ready to be copied. */
export function CopyMenu({ question }: { readonly question: LookoutQuery }) {
  const { copy, app } = t();
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useSignal<CallForm>("curl");
  const isOpen = useSignal(false);
  const isCopied = useSignal(false);
  const text = useSignal("");
  const key = JSON.stringify([isOpen.value, form.value, question]);
  useEffect(() => {
    if (!isOpen.value) return;
    let isGone = false;
    // Few people open it, so it is not part of the first load.
    void import("./calls.ts").then(({ callOf }) => {
      if (!isGone) text.value = callOf(form.value, question, baseUrl);
    });
    return () => {
      isGone = true;
    };
  }, [key]);
  return (
    <>
      <button
        type="button"
        class="button button-plain"
        onClick={() => {
          isOpen.value = true;
          dialog.current?.showModal();
        }}
      >
        {copy.open}
      </button>
      <dialog
        ref={dialog}
        class="dialog"
        aria-label={copy.title}
        onClose={() => {
          isOpen.value = false;
          isCopied.value = false;
        }}
      >
        {isOpen.value && (
          <div class="stack">
            <h2>{copy.title}</h2>
            <p class="field-hint">{copy.text}</p>
            <div class="tabs">
              {forms.map((name) => (
                <button
                  key={name}
                  type="button"
                  class="tab"
                  aria-pressed={form.value === name}
                  onClick={() => {
                    form.value = name;
                    isCopied.value = false;
                  }}
                >
                  {copy.forms[name]}
                </button>
              ))}
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people who use the keyboard have to scroll it. */}
            <pre class="code" tabIndex={0}>
              {text.value}
            </pre>
            <div class="dialog-foot">
              <span role="status">{isCopied.value ? copy.copied : ""}</span>
              <button type="button" class="button" onClick={() => dialog.current?.close()}>
                {app.close}
              </button>
              <button
                type="button"
                class="button button-main"
                onClick={() => {
                  void navigator.clipboard?.writeText(text.value).then(() => {
                    isCopied.value = true;
                  });
                }}
              >
                {copy.copy}
              </button>
            </div>
          </div>
        )}
      </dialog>
    </>
  );
}
