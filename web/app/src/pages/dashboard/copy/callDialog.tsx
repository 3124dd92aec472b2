import { useSignal } from "@preact/signals";
import type { LookoutQuery } from "../../../../../../packages/client-js/src/query.ts";
import { baseUrl } from "../../../router/base.ts";
import { t } from "../../../texts/texts.ts";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { type CallForm, callOf } from "./calls.ts";

const forms: readonly CallForm[] = ["curl", "grpc", "typescript"];

/** What is on screen as a call of the API, ready to be copied. */
export function CallDialog({ question, onClose }: { readonly question: LookoutQuery; readonly onClose: () => void }) {
  const { copy, app } = t();
  const form = useSignal<CallForm>("curl");
  const text = callOf(form.value, question, baseUrl);
  return (
    <Dialog title={copy.title} onClose={onClose}>
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
            }}
          >
            {copy.forms[name]}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people who use the keyboard have to scroll it. */}
      <pre class="code" tabIndex={0}>
        {text}
      </pre>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          {app.close}
        </button>
        <CopyButton text={text} class="button button-main" />
      </div>
    </Dialog>
  );
}
