import { useSignal } from "@preact/signals";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { ChannelForm } from "./channelForm.tsx";

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
      <ChannelForm
        key={created.value}
        onCreate={(made) => {
          secret.value = made.secret;
          created.value++;
          onCreate();
        }}
      />
    </section>
  );
}
