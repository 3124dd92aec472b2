import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useContext, useId, useRef } from "preact/hooks";
import type { LookoutError } from "../api/client.ts";
import { t } from "../texts/texts.ts";
import { CloseDialog } from "./closeDialog.ts";
import { ErrorNotice } from "./errorNotice.tsx";
import { useSending } from "./useSending.ts";

type FormProps = {
  /** The text of the button that sends it. */
  readonly submit: string;
  /** Gets the values by the names of the fields. Its error is shown above the button. */
  readonly onSubmit: (value: (name: string) => string, all: (name: string) => string[]) => Promise<void>;
  readonly errorTexts?: Partial<Record<LookoutError["code"], string>>;
  /** The target of a link next to the button that leaves the form. */
  readonly cancelHref?: string;
  /** Shown beside the button. */
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A form that is sent once at a time and shows its error. */
export function Form({ submit, onSubmit, errorTexts, cancelHref, foot, children }: FormProps) {
  const { isSending, error, send } = useSending();
  const close = useContext(CloseDialog);
  const form = useRef<HTMLFormElement>(null);
  const submitValues = async (): Promise<void> => {
    if (form.current === null) return;
    const data = new FormData(form.current);
    await onSubmit(
      (name) => String(data.get(name) ?? ""),
      (name) => data.getAll(name).map(String),
    );
  };
  return (
    <form
      ref={form}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // Each invalid field shows its problem on its `invalid` event.
        if (event.currentTarget.checkValidity()) return void send(submitValues);
        const invalid = event.currentTarget.querySelector<HTMLElement>(":is(input, select, textarea):invalid");
        const folded = invalid?.closest("details");
        if (folded) folded.open = true;
        invalid?.focus();
      }}
    >
      {children}
      {error !== undefined && (
        <ErrorNotice error={error} {...(errorTexts === undefined ? {} : { texts: errorTexts })} />
      )}
      <div class="form-foot">
        <button type="submit" class="button button-main" disabled={isSending}>
          {submit}
        </button>
        {cancelHref !== undefined && (
          <a class="button" href={cancelHref}>
            {t().form.cancel}
          </a>
        )}
        {/* Not every device has an Escape key. */}
        {close !== undefined && (
          <button type="button" class="button" onClick={close}>
            {t().form.cancel}
          </button>
        )}
        {foot}
      </div>
    </form>
  );
}

type FieldProps = {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "password" | "number" | "url" | "date" | "datetime-local";
  readonly hint?: string;
  readonly autoComplete?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly step?: number;
  readonly isOptional?: boolean;
  readonly inputMode?: "numeric" | "text";
  /** Its initial value. */
  readonly value?: string | number;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
};

/** A labelled field of a form. Its problem is shown below it once the form is sent. */
export function Field({
  label,
  hint,
  isOptional = false,
  autoFocus = false,
  autoComplete = "off",
  type = "text",
  value,
  ...input
}: FieldProps) {
  const id = useId();
  const problem = useProblem();
  const focusOnce = useRef(autoFocus);
  const attributes = {
    ...input,
    // Each type of input has its own attributes, so the compiler needs to know the type.
    type: type as "text",
    autoComplete: autoComplete as "off",
    ...(value === undefined ? {} : { defaultValue: String(value) }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        {...problem.attributes(id)}
        id={id}
        class="input"
        required={!isOptional}
        ref={(element) => {
          if (element !== null && focusOnce.current) element.focus();
          focusOnce.current = false;
        }}
      />
      <FieldHint id={id} hint={hint} problem={problem.text} />
    </div>
  );
}

type Checked = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The problem of a field, from the sending of the form until the field changes. */
export function useProblem() {
  const text = useSignal("");
  return {
    text: text.value,
    attributes: (id: string) => ({
      "aria-invalid": text.value !== "",
      "aria-describedby": `${id}-hint`,
      onInvalid: (event: { readonly currentTarget: Checked }) => {
        text.value = problemOf(event.currentTarget);
      },
      onInput: () => {
        text.value = "";
      },
    }),
  };
}

type FieldHintProps = { readonly id: string; readonly hint: string | undefined; readonly problem: string };

export function FieldHint({ id, hint, problem }: FieldHintProps) {
  return (
    <p id={`${id}-hint`} class={problem === "" ? "field-hint" : "field-error"}>
      {problem === "" ? hint : problem}
    </p>
  );
}

function problemOf(field: Checked): string {
  const { validity } = field;
  if (validity.valueMissing) return t().form.required;
  if (validity.tooShort && "minLength" in field) return t().form.tooShort(field.minLength);
  if ((validity.rangeUnderflow || validity.rangeOverflow) && "min" in field)
    return t().form.between(field.min, field.max);
  if (field.type === "url") return t().form.notUrl;
  return field.validationMessage;
}
