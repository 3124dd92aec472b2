import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { errorOf, type LookoutError } from "../api/client.ts";
import { t } from "../texts/texts.ts";
import { ErrorNotice } from "./errorNotice.tsx";

type FormProps = {
  /** The text of the button that sends it. */
  readonly submit: string;
  /** Gets the values by the names of the fields. What it rejects with is shown above the button. */
  readonly onSubmit: (values: (name: string) => string) => Promise<void>;
  readonly errorTexts?: Partial<Record<LookoutError["code"], string>>;
  readonly children: ComponentChildren;
};

/** A form that is sent once at a time, and that shows why it could not be. */
export function Form({ submit, onSubmit, errorTexts, children }: FormProps) {
  const isSending = useSignal(false);
  const error = useSignal<LookoutError | undefined>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const send = async (): Promise<void> => {
    if (form.current === null || isSending.value) return;
    const data = new FormData(form.current);
    isSending.value = true;
    error.value = undefined;
    try {
      await onSubmit((name) => String(data.get(name) ?? ""));
    } catch (thrown) {
      error.value = errorOf(thrown);
    } finally {
      isSending.value = false;
    }
  };
  return (
    <form
      ref={form}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const invalid = event.currentTarget.querySelector<HTMLInputElement>(":invalid");
        for (const field of event.currentTarget.querySelectorAll("input")) field.dispatchEvent(new Event("check"));
        if (invalid === null) void send();
        else invalid.focus();
      }}
    >
      {children}
      {error.value !== undefined && (
        <ErrorNotice error={error.value} {...(errorTexts === undefined ? {} : { texts: errorTexts })} />
      )}
      <button type="submit" class="button button-main button-wide" disabled={isSending.value}>
        {submit}
      </button>
    </form>
  );
}

type FieldProps = {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "password";
  readonly hint?: string;
  readonly autoComplete: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly isOptional?: boolean;
  readonly inputMode?: "numeric" | "text";
  readonly value?: string;
  readonly autoFocus?: boolean;
};

/** A labelled text field of a form. What is wrong with it is said below it once the form is sent. */
export function Field({ label, hint, isOptional = false, autoFocus = false, type = "text", ...input }: FieldProps) {
  const id = useId();
  // Each type of input has attributes of its own, so the compiler wants to know which one it is.
  const kind = type === "password" ? ({ type: "password" } as const) : ({ type: "text" } as const);
  const problem = useSignal("");
  const focusOnce = useRef(autoFocus);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...kind}
        {...input}
        id={id}
        class="input"
        required={!isOptional}
        aria-invalid={problem.value !== ""}
        aria-describedby={`${id}-hint`}
        ref={(element) => {
          if (element === null) return;
          element.addEventListener("check", () => {
            problem.value = problemOf(element);
          });
          if (focusOnce.current) element.focus();
          focusOnce.current = false;
        }}
        onInput={() => {
          problem.value = "";
        }}
      />
      <p id={`${id}-hint`} class={problem.value === "" ? "field-hint" : "field-error"}>
        {problem.value === "" ? hint : problem.value}
      </p>
    </div>
  );
}

function problemOf(input: HTMLInputElement): string {
  const { validity } = input;
  if (validity.valid) return "";
  if (validity.valueMissing) return t().form.required;
  if (validity.tooShort) return t().form.tooShort(input.minLength);
  if (validity.typeMismatch) return t().form.notEmail;
  return input.validationMessage;
}
