import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { errorOf } from "../api/client.ts";
import { passwordQuestion } from "../api/generatedPassword.ts";
import { showOwnLanguage } from "../api/personLanguage.ts";
import { enteredEmail, session, sessionState, signIn } from "../api/session.ts";
import { basePath } from "../router/base.ts";
import { nextAddress } from "../router/nextAddress.ts";
import { goTo, goToAddress, hrefTo, place } from "../router/router.ts";
import { signInReason } from "../router/signInReason.ts";
import { AccountMenu } from "../shell/accountMenu.tsx";
import { t } from "../texts/texts.ts";
import { CodeForm } from "../ui/codeForm.tsx";
import { Field, Form } from "../ui/form.tsx";

/** Asks for e-mail address and password, then for the second factor if the account has one. The language is below, since the texts may be in the wrong one. */
export default function SignIn() {
  return (
    <>
      <Card />
      <div class="card-language">
        <AccountMenu session={undefined} />
      </div>
    </>
  );
}

function Card() {
  const { signIn: texts } = t();
  /** Known to be correct once the service asks for the code. */
  const proved = useSignal<{ readonly email: string; readonly password: string } | undefined>(undefined);
  const isSignedIn = sessionState.value.kind === "signed in";
  useEffect(() => {
    if (!isSignedIn) return;
    void showOwnLanguage();
    const { query } = place.value;
    const isAsked =
      passwordQuestion(session.value?.hasGeneratedPassword ?? false, location.hostname) === "after sign-in";
    if (isAsked) goTo(["choose-password"], { query, replace: true });
    else goToAddress(nextAddress(query.get("next") ?? "", document.baseURI, basePath), { replace: true });
  }, [isSignedIn]);
  if (isSignedIn) return null;
  const errorTexts = { UNAUTHORIZED: texts.wrong, RATE_LIMIT_EXCEEDED: texts.tooMany };
  if (proved.value !== undefined) {
    const { email, password } = proved.value;
    return (
      <section class="card">
        <CodeForm errorTexts={errorTexts} onCode={(code) => signIn(email, password, code)} />
        <button
          type="button"
          class="button button-plain"
          onClick={() => {
            proved.value = undefined;
          }}
        >
          {texts.otherAccount}
        </button>
      </section>
    );
  }
  const reason = signInReason();
  const email = enteredEmail.value;
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      {reason !== undefined && (
        <p class="notice" role="status">
          {texts.reasons[reason]}
        </p>
      )}
      <Form
        submit={texts.submit}
        errorTexts={errorTexts}
        onSubmit={async (value) => {
          const given = { email: value("email").trim(), password: value("password") };
          enteredEmail.value = given.email;
          try {
            await signIn(given.email, given.password, undefined);
          } catch (thrown) {
            if (errorOf(thrown).code !== "AUTH_REQUIRED") throw thrown;
            proved.value = given;
          }
        }}
      >
        {/* Not of the type email: the first owner's address is owner@localhost. */}
        <Field
          name="email"
          label={texts.email}
          autoComplete="username"
          maxLength={254}
          value={email}
          autoFocus={email === ""}
        />
        <Field
          name="password"
          label={texts.password}
          type="password"
          autoComplete="current-password"
          autoFocus={email !== ""}
        />
      </Form>
      <p class="card-foot">
        <a href={hrefTo(["forgotten-password"])}>{texts.forgotten}</a>
      </p>
    </section>
  );
}
