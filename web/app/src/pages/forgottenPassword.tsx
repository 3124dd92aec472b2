import { useSignal } from "@preact/signals";
import { AuthService } from "../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { clientOf } from "../api/client.ts";
import { enteredEmail } from "../api/session.ts";
import { hrefTo } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { Field, Form } from "../ui/form.tsx";

const auth = clientOf(AuthService);

/** Requests a link to a new password by e-mail. Shows the same message for every address, as the service does. */
export default function ForgottenPassword() {
  const { forgottenPassword: texts, signIn } = t();
  const sentTo = useSignal("");
  return (
    <section class="card">
      {sentTo.value === "" ? (
        <>
          <h1>{texts.title}</h1>
          <p>{texts.text}</p>
          <Form
            submit={texts.submit}
            errorTexts={{ CONFLICT: texts.noMailServer }}
            onSubmit={async (value) => {
              const email = value("email").trim();
              enteredEmail.value = email;
              await auth.requestPasswordReset({ email });
              sentTo.value = email;
            }}
          >
            <Field
              name="email"
              label={signIn.email}
              autoComplete="username"
              maxLength={254}
              value={enteredEmail.value}
              autoFocus
            />
          </Form>
        </>
      ) : (
        <div class="stack" role="status">
          <h1>{texts.sentTitle}</h1>
          <p>{texts.sent(sentTo.value)}</p>
          <p class="card-foot">{texts.noMail}</p>
        </div>
      )}
      <p class="card-foot">
        <a href={hrefTo(["sign-in"])}>{texts.back}</a>
      </p>
    </section>
  );
}
