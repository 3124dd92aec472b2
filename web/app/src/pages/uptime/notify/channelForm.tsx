import type { CreateNotificationChannelResponse } from "../../../../../../packages/client-js/src/gen/lookout/v1/notification_channels_pb.ts";
import { chosen } from "../../../api/chosen.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Select } from "../../../ui/fields.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { channels } from "../services.ts";

/** The fields of a new channel. */
export function ChannelForm({ onCreate }: { readonly onCreate: (made: CreateNotificationChannelResponse) => void }) {
  const { uptime: texts } = allTexts();
  return (
    <Form
      submit={texts.createChannel}
      onSubmit={async (value) =>
        onCreate(
          await channels.createNotificationChannel({
            name: value("name").trim(),
            kind: chosen(value("kind")),
            target: value("target").trim(),
          }),
        )
      }
    >
      <div class="form-row">
        <Field name="name" label={texts.channelName} maxLength={256} />
        <Select name="kind" label={texts.kind} choices={texts.kinds} />
      </div>
      <Field name="target" label={texts.target} hint={texts.targetHint} minLength={3} maxLength={2048} />
    </Form>
  );
}
