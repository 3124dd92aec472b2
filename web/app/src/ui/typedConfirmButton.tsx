import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorNotice } from "./errorNotice.tsx";
import { useSending } from "./useSending.ts";

type TypedConfirmProps = {
  readonly title: string;
  /** What will happen. */
  readonly text: ComponentChildren;
  /** What has to be typed. */
  readonly expected: string;
  /** The text of the button that does it. */
  readonly label: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
};

/** A window for a far-reaching action, which runs only after a word was typed. */
export function TypedConfirm({ title, text, expected, label, onConfirm, onClose }: TypedConfirmProps) {
  const { settings, form } = allTexts();
  const id = useId();
  const typed = useSignal("");
  const { isSending, error, send } = useSending();
  const isRight = typed.value.trim() === expected.trim();
  const confirm = async (): Promise<void> => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{text}</div>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isRight) void send(confirm);
        }}
      >
        <div class="field">
          <label for={id}>{settings.typeToConfirm(expected)}</label>
          <input
            id={id}
            class="input"
            autoComplete="off"
            spellcheck={false}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </div>
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {form.cancel}
          </button>
          <button type="submit" class="button button-bad" disabled={!isRight || isSending}>
            {label}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** A button that opens such a window. */
export function TypedConfirmButton(props: Omit<TypedConfirmProps, "onClose">) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button button-bad"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {props.label}
      </button>
      {isOpen.value && (
        <TypedConfirm
          {...props}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}
