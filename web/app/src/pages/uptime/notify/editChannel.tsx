import type { NotificationChannel } from "../../../../../../packages/client-js/src/gen/lookout/v1/notification_channels_pb.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { channels } from "../services.ts";

type EditChannelProps = {
  readonly channel: NotificationChannel;
  readonly onChange: () => void;
  readonly onClose: () => void;
};

/** Changes the name of a channel, and its target if a new one is given. The target of a hook is a secret, which is not shown. */
export function EditChannel({ channel: { id, name, kind, target }, onChange, onClose }: EditChannelProps) {
  const { uptime: texts } = allTexts();
  const isShown = kind === "email";
  return (
    <Dialog title={texts.editChannel(name)} onClose={onClose}>
      <Form
        submit={texts.save}
        onSubmit={async (value) => {
          const given = value("target").trim();
          const isNew = given !== "" && !(isShown && given === target);
          await channels.updateNotificationChannel({
            id,
            name: value("name").trim(),
            ...(isNew ? { target: given } : {}),
          });
          onClose();
          onChange();
        }}
      >
        <Field name="name" label={texts.channelName} maxLength={256} value={name} />
        <Field
          name="target"
          label={texts.target}
          hint={isShown ? texts.targetHint : texts.targetKept(target)}
          isOptional={!isShown}
          minLength={3}
          maxLength={2048}
          {...(isShown ? { value: target } : {})}
        />
      </Form>
    </Dialog>
  );
}
