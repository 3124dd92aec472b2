import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { Form } from "./form.tsx";
import { SavedLine } from "./savedLine.tsx";

type SavedFormProps = {
  /** Saves the values by the names of the fields. Its error is shown above the button. */
  readonly onSave: (value: (name: string) => string) => Promise<void>;
  readonly children: ComponentChildren;
};

/** A form of settings. It says that they were saved until one of them is changed. */
export function SavedForm({ onSave, children }: SavedFormProps) {
  const isSaved = useSignal(false);
  return (
    <div
      onInput={() => {
        isSaved.value = false;
      }}
    >
      <Form
        submit={allTexts().settings.save}
        foot={<SavedLine isSaved={isSaved.value} />}
        onSubmit={async (value) => {
          await onSave(value);
          isSaved.value = true;
        }}
      >
        {children}
      </Form>
    </div>
  );
}
