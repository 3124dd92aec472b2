import { AuthService } from "../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { clientOf } from "../api/client.ts";
import { signedInAs } from "../api/session.ts";
import { hrefTo } from "../router/router.ts";
import { useSecretToken } from "../router/secretToken.ts";
import { goToSignIn } from "../router/signInReason.ts";
import { t } from "../texts/texts.ts";
import { Form } from "../ui/form.tsx";
import { NewPasswordField } from "../ui/newPasswordField.tsx";

const auth = clientOf(AuthService);

/** The target of the e-mail's link: sets a new password. */
export default function ResetPassword() {
  const { resetPassword: texts } = t();
  const token = useSecretToken("reset-password");
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
            goToSignIn("password-set");
          }}
        >
          <NewPasswordField name="password" label={texts.password} hint={texts.hint} autoFocus />
        </Form>
      )}
      <p class="card-foot">
        <a href={hrefTo(["forgotten-password"])}>{texts.again}</a>
      </p>
    </section>
  );
}
