import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { useSending } from "../../../ui/useSending.ts";
import { emptyStep, filled, type OwnFunnel, type OwnStep } from "./ownGoals.ts";
import { StepRows } from "./stepRows.tsx";
import type { KnownNames } from "./useKnownNames.ts";

const mostSteps = 10;

type FunnelFormProps = {
  /** Undefined for a new one. */
  readonly funnel: OwnFunnel | undefined;
  readonly known: KnownNames;
  readonly onSave: (funnel: OwnFunnel) => Promise<void>;
  readonly onClose: () => void;
};

/** The name and the steps of a funnel. */
export function FunnelForm({ funnel, known, onSave, onClose }: FunnelFormProps) {
  const { ownGoals: texts, settings, form } = allTexts();
  const name = useSignal(funnel?.name ?? "");
  const steps = useSignal<readonly OwnStep[]>(funnel?.steps ?? [emptyStep, emptyStep]);
  const isTooShort = useSignal(false);
  const id = useId();
  const { isSending, error, send } = useSending();
  return (
    <form
      class="form goals-form"
      onSubmit={(event) => {
        event.preventDefault();
        const kept = filled(steps.value);
        isTooShort.value = kept.length < 2;
        if (!isTooShort.value) void send(() => onSave({ name: name.value.trim(), steps: kept }));
      }}
    >
      <div class="field">
        <label for={id}>{texts.funnelName}</label>
        <input
          id={id}
          class="input"
          required
          maxLength={80}
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
      </div>
      <StepRows
        steps={steps.value}
        most={mostSteps}
        known={known}
        extra="property"
        onChange={(changed) => {
          steps.value = changed;
        }}
      />
      {isTooShort.value && (
        <p class="notice notice-bad" role="alert">
          {texts.twoSteps}
        </p>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          {form.cancel}
        </button>
        <button type="submit" class="button button-main" disabled={isSending}>
          {settings.save}
        </button>
      </div>
    </form>
  );
}
