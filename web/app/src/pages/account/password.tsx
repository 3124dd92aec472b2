import { useSignal } from "@preact/signals";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { Field, Form } from "../../ui/form.tsx";
import { NewPasswordField } from "../../ui/newPasswordField.tsx";
import { SavedLine } from "../../ui/savedLine.tsx";
import { Section } from "../../ui/section.tsx";
import { changePassword } from "./changePassword.ts";

/** Changes the password, which ends all other sessions. */
export function Password() {
  const { yourAccount: texts, resetPassword } = allTexts();
  const changes = useSignal(0);
  return (
    <Section name="password" title={texts.password} text={texts.passwordText}>
      <Form
        key={changes.value}
        submit={texts.changePassword}
        foot={<SavedLine isSaved={changes.value > 0} />}
        onSubmit={async (value) => {
          await changePassword(value("current"), value("new"));
          changes.value++;
        }}
      >
        <Field name="current" type="password" label={texts.currentPassword} autoComplete="current-password" />
        <NewPasswordField name="new" label={resetPassword.password} hint={resetPassword.hint} />
      </Form>
    </Section>
  );
}
