import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

/** A key's text, which the service returns only once. */
export type ShownKey = { readonly name: string; readonly key: string };

type KeyTextProps = { readonly shown: ShownKey; readonly onClose: () => void };

/** Shows a key's text until the window is closed. */
export function KeyText({ shown, onClose }: KeyTextProps) {
  const { apiKeys: texts } = allTexts();
  return (
    <Dialog title={texts.textTitle(shown.name)} onClose={onClose}>
      <p>{texts.once}</p>
      <p class="code mono" data-key-text>
        {shown.key}
      </p>
      <div class="dialog-foot">
        <CopyButton text={shown.key} about={texts.keyText} class="button button-main" />
        <button type="button" class="button" onClick={onClose}>
          {texts.stored}
        </button>
      </div>
    </Dialog>
  );
}
