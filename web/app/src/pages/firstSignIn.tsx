import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { signInWithGenerated } from "../api/generatedSignIn.ts";
import { enteredEmail, session, sessionState } from "../api/session.ts";
import { goTo, hrefTo } from "../router/router.ts";
import { useLinkSecrets } from "../router/secretToken.ts";
import { goToSignIn } from "../router/signInReason.ts";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { CodeForm } from "../ui/codeForm.tsx";
import { Form } from "../ui/form.tsx";
import { NewPasswordField } from "../ui/newPasswordField.tsx";
import { changePassword } from "./account/changePassword.ts";

/**
 * The target of the link that `npm start` shows while the first owner has the generated password: one press signs in with it and replaces it by the
 * person's own. Nothing is sent before that press.
 */
export default function FirstSignIn() {
  const { choosePassword: texts, resetPassword, signIn } = allTexts();
  const secrets = useLinkSecrets("first-sign-in", "password");
  const email = secrets.get("email") ?? "";
  const generated = secrets.get("password") ?? "";
  /** Chosen before the service asked for the second factor as well. */
  const chosen = useSignal<string | undefined>(undefined);
  const person = session.value;
  const isSignedIn = person?.email === email;
  const isDone = isSignedIn && !person.hasGeneratedPassword;
  const isComplete = email !== "" && generated !== "";
  useEffect(() => {
    if (!isComplete) goTo(["sign-in"], { replace: true });
    else if (isDone) goTo([], { replace: true });
  }, [isComplete, isDone]);
  if (!isComplete || isDone || sessionState.value.kind === "loading") return null;

  const choose = async (password: string, code?: string): Promise<void> => {
    const outcome = isSignedIn ? "signed in" : await signInWithGenerated(email, generated, code);
    if (outcome === "signed in") return await changePassword(generated, password);
    chosen.value = outcome === "code asked" ? password : undefined;
    if (outcome === "code asked") return;
    enteredEmail.value = email;
    goToSignIn("outdated-link");
  };
  const errorTexts = {
    VALIDATION_ERROR: texts.refused,
    UNAUTHORIZED: signIn.wrong,
    RATE_LIMIT_EXCEEDED: signIn.tooMany,
  };
  const known = chosen.value;
  if (known !== undefined)
    return (
      <section class="card">
        <CodeForm errorTexts={errorTexts} onCode={(code) => choose(known, code)} />
      </section>
    );
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      <p>{texts.welcome(email)}</p>
      <Form submit={texts.signIn} errorTexts={errorTexts} onSubmit={(value) => choose(value("new"))}>
        <input type="hidden" autoComplete="username" value={email} />
        <NewPasswordField name="new" label={resetPassword.password} hint={resetPassword.hint} autoFocus />
      </Form>
      <p class="card-foot">
        <a href={hrefTo(["sign-in"])}>{texts.hasOwn}</a>
      </p>
    </section>
  );
}
