import { OrganizationService } from "../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { clientOf } from "../api/client.ts";
import { session, sessionState, signedInAs } from "../api/session.ts";
import { goTo, hrefTo } from "../router/router.ts";
import { useSecretToken } from "../router/secretToken.ts";
import { t } from "../texts/texts.ts";
import { Field, Form } from "../ui/form.tsx";
import { NewPasswordField } from "../ui/newPasswordField.tsx";

const organizations = clientOf(OrganizationService);

/** The target of an invitation's link: a new person chooses a password, a person with an account joins with it. */
export default function Invitation() {
  const { invitation: texts } = t();
  const token = useSecretToken("invitation");
  const person = session.value;
  const accept = async (more: { name?: string; password?: string }): Promise<void> => {
    const { session: joined } = await organizations.acceptInvitation({ token, ...more });
    signedInAs(joined);
    goTo([], { replace: true });
  };
  const errorTexts = {
    NOT_FOUND: texts.expired,
    AUTH_REQUIRED: texts.signInFirst,
    ACCESS_DENIED: texts.wrongPerson,
  };
  if (sessionState.value.kind === "loading") return null;
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      {token === "" ? (
        <p class="notice notice-bad">{texts.noToken}</p>
      ) : person !== undefined ? (
        <>
          <p>{texts.joinText}</p>
          <Form submit={texts.joinAs(person.email)} errorTexts={errorTexts} onSubmit={() => accept({})}>
            {null}
          </Form>
        </>
      ) : (
        <>
          <p>{texts.text}</p>
          <Form
            submit={texts.submit}
            errorTexts={errorTexts}
            onSubmit={(value) => accept({ name: value("name").trim(), password: value("password") })}
          >
            <Field name="name" label={texts.name} autoComplete="name" maxLength={256} />
            <NewPasswordField name="password" label={texts.password} hint={texts.hint} />
          </Form>
          <p class="card-foot">
            <a href={hrefTo(["sign-in"], new URLSearchParams({ next: "invitation" }))}>{texts.hasAccount}</a>
          </p>
        </>
      )}
    </section>
  );
}
