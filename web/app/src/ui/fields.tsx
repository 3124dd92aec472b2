import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { FieldHint, useProblem } from "./form.tsx";

type SelectProps = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** The choices by their values. */
  readonly choices: Readonly<Record<string, string>>;
  readonly value?: string;
  readonly onChange?: (value: string) => void;
};

/** A labelled choice of one value. */
export function Select({ name, label, hint, choices, value, onChange }: SelectProps) {
  const id = useId();
  const problem = useProblem();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        class="input"
        onChange={(event) => onChange?.(event.currentTarget.value)}
        {...problem.attributes(id)}
      >
        {Object.entries(choices).map(([choice, text]) => (
          <option key={choice} value={choice} selected={choice === value}>
            {text}
          </option>
        ))}
      </select>
      <FieldHint id={id} hint={hint} problem={problem.text} />
    </div>
  );
}

type TextAreaProps = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  readonly maxLength?: number;
  readonly rows?: number;
  readonly placeholder?: string;
};

/** A labelled text of several lines, which may be empty. */
export function TextArea({ label, hint, value = "", rows = 3, ...area }: TextAreaProps) {
  const id = useId();
  const problem = useProblem();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea {...area} id={id} rows={rows} class="input" defaultValue={value} {...problem.attributes(id)} />
      <FieldHint id={id} hint={hint} problem={problem.text} />
    </div>
  );
}

type CheckboxProps = {
  readonly name: string;
  readonly label: ComponentChildren;
  /** What the form sends when it is chosen. */
  readonly value?: string;
  readonly isChecked?: boolean;
};

/** A labelled checkbox. */
export function Checkbox({ name, label, value = "on", isChecked = false }: CheckboxProps) {
  return (
    <label class="checkbox">
      <input type="checkbox" name={name} value={value} defaultChecked={isChecked} />
      <span>{label}</span>
    </label>
  );
}
