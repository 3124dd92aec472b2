import { may } from "../../../api/session.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { uptime } from "../services.ts";

type NoteTextProps = {
  readonly id: string;
  readonly text: string;
  /** Who wrote it and when, which tells its button from those of other notes. */
  readonly about: string;
  readonly onChange: () => void;
};

/** The text of a note, as it was typed, and what deletes it. */
export function NoteText({ id, text, about, onChange }: NoteTextProps) {
  const { incident: texts } = allTexts();
  return (
    <div class="note">
      <p class="note-text">{text}</p>
      {may("write:uptime") && (
        <ConfirmButton
          class="button button-plain"
          label={texts.deleteNote}
          about={about}
          title={texts.deleteNoteTitle}
          text={texts.deleteNoteText}
          onConfirm={async () => {
            await uptime.deleteIncidentNote({ id });
            onChange();
          }}
        />
      )}
    </div>
  );
}
