import { useSignal } from "@preact/signals";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { SavedLine } from "../../../ui/savedLine.tsx";
import { useSending } from "../../../ui/useSending.ts";
import { emptyStep, filled, type OwnStep } from "./ownGoals.ts";
import { StepRows } from "./stepRows.tsx";
import type { KnownNames } from "./useKnownNames.ts";

const mostGoals = 20;

type GoalsFormProps = {
  readonly goals: readonly OwnStep[];
  readonly known: KnownNames;
  readonly onSave: (goals: readonly OwnStep[]) => Promise<void>;
};

/** The goals of the website, all in one form. */
export function GoalsForm({ goals, known, onSave }: GoalsFormProps) {
  const { settings } = allTexts();
  const rows = useSignal<readonly OwnStep[]>(goals.length === 0 ? [{ ...emptyStep, kind: "event" }] : goals);
  const isSaved = useSignal(false);
  const { isSending, error, send } = useSending();
  return (
    <form
      class="form goals-form"
      onSubmit={(event) => {
        event.preventDefault();
        isSaved.value = false;
        void send(async () => {
          await onSave(filled(rows.value));
          isSaved.value = true;
        });
      }}
    >
      <StepRows
        steps={rows.value}
        most={mostGoals}
        known={known}
        extra="revenue"
        onChange={(changed) => {
          rows.value = changed;
          isSaved.value = false;
        }}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="form-foot">
        <button type="submit" class="button button-main" disabled={isSending}>
          {settings.save}
        </button>
        <SavedLine isSaved={isSaved.value} />
      </div>
    </form>
  );
}
