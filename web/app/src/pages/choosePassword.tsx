import { passwordQuestion } from "../api/generatedPassword.ts";
import { session, typedPassword } from "../api/session.ts";
import { basePath } from "../router/base.ts";
import { nextAddress } from "../router/nextAddress.ts";
import { goToAddress, place } from "../router/router.ts";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { Field, Form } from "../ui/form.tsx";
import { NewPasswordField } from "../ui/newPasswordField.tsx";
import { changePassword } from "./account/changePassword.ts";

/** Asks a person whose password the service made for another one. */
export default function ChoosePassword() {
  const { choosePassword: texts, resetPassword, yourAccount } = allTexts();
  const person = session.value;
  if (person === undefined) return null;
  const mayWait = passwordQuestion(true, location.hostname) === "after sign-in";
  const known = typedPassword.value;
  const leave = (): void => {
    // Before every page the address is already that of the page.
    if (place.value.segments[0] === "choose-password")
      goToAddress(nextAddress(place.value.query.get("next") ?? "", document.baseURI, basePath), { replace: true });
  };
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      <p>{texts.text}</p>
      <Form
        submit={resetPassword.submit}
        errorTexts={{ VALIDATION_ERROR: texts.refused }}
        onSubmit={async (value) => {
          await changePassword(known ?? value("current"), value("new"));
          leave();
        }}
      >
        <input type="hidden" autoComplete="username" value={person.email} />
        {known === undefined && (
          <Field name="current" type="password" label={yourAccount.currentPassword} autoComplete="current-password" />
        )}
        <NewPasswordField name="new" label={resetPassword.password} hint={resetPassword.hint} autoFocus />
      </Form>
      {mayWait && (
        <button type="button" class="button button-plain" onClick={leave}>
          {texts.later}
        </button>
      )}
    </section>
  );
}
