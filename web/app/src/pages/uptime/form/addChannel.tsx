import { useSignal } from "@preact/signals";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ChannelForm } from "../notify/channelForm.tsx";

type AddChannelProps = { readonly onCreate: (channelId: string) => void; readonly onClose: () => void };

/** Makes a channel without leaving the form of the monitor. The secret of a webhook is shown once. */
export function AddChannel({ onCreate, onClose }: AddChannelProps) {
  const { uptime: texts } = allTexts();
  const secret = useSignal<string | undefined>(undefined);
  return (
    <Dialog title={texts.newChannel} onClose={onClose}>
      {secret.value === undefined ? (
        <ChannelForm
          onCreate={({ channel, secret: made }) => {
            if (channel !== undefined) onCreate(channel.id);
            if (made === undefined) onClose();
            else secret.value = made;
          }}
        />
      ) : (
        <>
          <p>{texts.secretText}</p>
          <p class="secret">
            <code>{secret.value}</code>
            <CopyButton text={secret.value} />
          </p>
          <div class="form-foot">
            <button type="button" class="button button-main" onClick={onClose}>
              {texts.done}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
