import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { allTexts } from "../../texts/settings/settingsTexts.ts";

/** What a colour field shows while none is chosen: that of Lookout. */
const unset = "#0064a3";

/** The accent colour of a page; without a choice it is that of Lookout. */
export function AccentField({ value }: { readonly value: string }) {
  const { statusPages: texts } = allTexts();
  const id = useId();
  const colour = useSignal(value);
  return (
    <div class="field">
      <label for={id}>{texts.accent}</label>
      <div class="accent-row">
        <input type="hidden" name="accentColor" value={colour.value} />
        <input
          id={id}
          type="color"
          class="input"
          value={colour.value || unset}
          aria-describedby={`${id}-hint`}
          onInput={({ currentTarget }) => {
            colour.value = currentTarget.value;
          }}
        />
        <span>{colour.value || texts.noAccent}</span>
        {colour.value !== "" && (
          <button
            type="button"
            class="button"
            onClick={() => {
              colour.value = "";
            }}
          >
            {texts.resetAccent}
          </button>
        )}
      </div>
      <p id={`${id}-hint`} class="field-hint">
        {texts.accentHint}
      </p>
    </div>
  );
}
