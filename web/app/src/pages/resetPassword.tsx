import { useSignal } from "@preact/signals";
import { AuthService } from "../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { clientOf } from "../api/client.ts";
import { signedInAs } from "../api/session.ts";
import { hrefTo } from "../router/router.ts";
import { useSecretToken } from "../router/secretToken.ts";
import { t } from "../texts/texts.ts";
import { Form } from "../ui/form.tsx";
import { NewPasswordField } from "../ui/newPasswordField.tsx";

const auth = clientOf(AuthService);

/** The target of the e-mail's link: sets a new password. */
export default function ResetPassword() {
  const { resetPassword: texts, signIn } = t();
  const token = useSecretToken("reset-password");
  const isDone = useSignal(false);
  if (isDone.value)
    return (
      <section class="card" role="status">
        <h1>{texts.doneTitle}</h1>
        <p>{texts.done}</p>
        <a class="button button-main" href={hrefTo(["sign-in"])}>
          {signIn.title}
        </a>
      </section>
    );
  return (
    <section class="card">
      <h1>{texts.title}</h1>
      {token === "" ? (
        <p class="notice notice-bad">{texts.noToken}</p>
      ) : (
        <Form
          submit={texts.submit}
          errorTexts={{ VALIDATION_ERROR: texts.expired }}
          onSubmit={async (value) => {
            await auth.resetPassword({ token, newPassword: value("password") });
            // All sessions have ended, this browser's too.
            signedInAs(undefined);
            isDone.value = true;
          }}
        >
          <NewPasswordField name="password" label={texts.password} hint={texts.hint} />
        </Form>
      )}
      <p class="card-foot">
        <a href={hrefTo(["forgotten-password"])}>{texts.again}</a>
      </p>
    </section>
  );
}
