import { Field } from "./form.tsx";
import { passwordLengths } from "./passwordLengths.ts";

type NewPasswordFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly autoFocus?: boolean;
};

/** A field for a password that is chosen, with the lengths that the service takes. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  return <Field {...props} type="password" autoComplete="new-password" {...passwordLengths.ofPerson} />;
}
