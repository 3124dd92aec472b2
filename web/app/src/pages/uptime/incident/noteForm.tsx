import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { useSending } from "../../../ui/useSending.ts";
import { uptime } from "../services.ts";

type NoteFormProps = { readonly incidentId: string; readonly onChange: () => void };

/** A note on an incident, for the team. */
export function NoteForm({ incidentId, onChange }: NoteFormProps) {
  const { incident: texts } = allTexts();
  const id = useId();
  const text = useSignal("");
  const isWritten = useSignal(false);
  const { isSending, error, send } = useSending();
  const write = async (): Promise<void> => {
    await uptime.createIncidentNote({ incidentId, text: text.value.trim() });
    text.value = "";
    isWritten.value = true;
    onChange();
  };
  return (
    <form
      class="form panel-part"
      onSubmit={(event) => {
        event.preventDefault();
        void send(write);
      }}
    >
      <div class="field">
        <label for={id}>{texts.note}</label>
        <textarea
          id={id}
          class="input report-text"
          name="note"
          required
          rows={2}
          maxLength={5_000}
          aria-describedby={`${id}-hint`}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            isWritten.value = false;
          }}
        />
        <p id={`${id}-hint`} class="field-hint">
          {texts.noteHint}
        </p>
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="form-foot">
        <button type="submit" class="button" disabled={isSending || text.value.trim() === ""}>
          {texts.addNote}
        </button>
        <span role="status" class="field-hint">
          {isWritten.value ? texts.noteAdded : ""}
        </span>
      </div>
    </form>
  );
}
