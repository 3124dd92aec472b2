import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { LookoutError } from "../../../api/client.ts";
import { may } from "../../../api/session.ts";
import { t } from "../../../texts/texts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";

type SegmentFormProps = {
  readonly name: string;
  readonly isShared: boolean;
  readonly isSending: boolean;
  readonly error: LookoutError | undefined;
  readonly onSave: (segment: { readonly name: string; readonly shared: boolean }) => void;
  readonly onClose: () => void;
};

/** The name of a segment and who sees it. */
export function SegmentForm({ name: first, isShared, isSending, error, onSave, onClose }: SegmentFormProps) {
  const { segments: texts, more, form } = t();
  const id = useId();
  const name = useSignal(first);
  const shared = useSignal(isShared);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ name: name.value.trim(), shared: shared.value });
      }}
    >
      <div class="field">
        <label for={id}>{texts.name}</label>
        <input
          id={id}
          class="input"
          required
          pattern=".*\S.*"
          maxLength={80}
          autoComplete="off"
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
      </div>
      {may("update") && (
        <label class="checkbox">
          <input
            type="checkbox"
            checked={shared.value}
            onChange={({ currentTarget }) => {
              shared.value = currentTarget.checked;
            }}
          />
          <span>{texts.share}</span>
        </label>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          {form.cancel}
        </button>
        <button type="submit" class="button button-main" disabled={isSending}>
          {more.save}
        </button>
      </div>
    </form>
  );
}
