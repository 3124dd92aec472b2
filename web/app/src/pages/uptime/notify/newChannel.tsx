import { useSignal } from "@preact/signals";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Select } from "../../../ui/fields.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { channels } from "../services.ts";

/** Adds a channel. The secret of a webhook is shown only once. */
export function NewChannel({ onCreate }: { readonly onCreate: () => void }) {
  const { uptime: texts } = allTexts();
  /** Counts created channels, so that the next form is empty. */
  const created = useSignal(0);
  const secret = useSignal<string | undefined>(undefined);
  return (
    <section class="panel panel-form" aria-labelledby="new-channel">
      <h2 id="new-channel">{texts.newChannel}</h2>
      {secret.value !== undefined && (
        <div class="notice" role="status">
          <p>{texts.secretText}</p>
          <p class="secret">
            <code>{secret.value}</code>
            <CopyButton text={secret.value} />
          </p>
        </div>
      )}
      <Form
        key={created.value}
        submit={texts.createChannel}
        onSubmit={async (value) => {
          const answer = await channels.createNotificationChannel({
            name: value("name").trim(),
            kind: value("kind"),
            target: value("target").trim(),
          });
          secret.value = answer.secret;
          created.value++;
          onCreate();
        }}
      >
        <div class="form-row">
          <Field name="name" label={texts.channelName} maxLength={256} />
          <Select name="kind" label={texts.kind} choices={texts.kinds} />
        </div>
        <Field name="target" label={texts.target} hint={texts.targetHint} minLength={3} maxLength={2048} />
      </Form>
    </section>
  );
}
