import { t } from "../texts/texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { areKeysOn, isKeyListOpen, pageKeys, setKeysOn } from "./keys.ts";
import "../styles/keys.css";

/** What the keys of the page do, and whether they do it. */
export default function KeyList() {
  const texts = t();
  const close = (): void => {
    isKeyListOpen.value = false;
  };
  return (
    <Dialog title={texts.keys.title} onClose={close}>
      <table class="key-list">
        <thead class="said">
          <tr>
            <th scope="col">{texts.keys.key}</th>
            <th scope="col">{texts.keys.deed}</th>
          </tr>
        </thead>
        <tbody>
          {pageKeys.value.map(({ shown, name }) => (
            <tr key={shown}>
              <th scope="row">
                <kbd>{shown}</kbd>
              </th>
              <td>{name(texts)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              <kbd>{texts.keys.commandKeys}</kbd>
            </th>
            <td>{texts.keys.commands}</td>
          </tr>
        </tbody>
      </table>
      <label class="checkbox">
        <input
          type="checkbox"
          checked={areKeysOn.value}
          onChange={({ currentTarget }) => setKeysOn(currentTarget.checked)}
        />
        <span>{texts.keys.areOn}</span>
      </label>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {texts.app.close}
        </button>
      </div>
    </Dialog>
  );
}
