import { useSignal } from "@preact/signals";
import type { NotificationChannel } from "../../../../../../packages/client-js/src/gen/lookout/v1/notification_channels_pb.ts";
import { mayForAll } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useEvery } from "../../../ui/useEvery.ts";
import type { PartProps } from "../partProps.ts";
import { channels, refreshMs } from "../services.ts";
import { DeliveryTable } from "./deliveryTable.tsx";
import { EditChannel } from "./editChannel.tsx";
import { NewChannel } from "./newChannel.tsx";

/** The notification channels of the organization, and what was sent to them. */
export function Channels({ website }: PartProps) {
  const { uptime: texts } = allTexts();
  const refresh = useEvery(refreshMs);
  const known = useCall("channels", (signal) => channels.listNotificationChannels({}, { signal }), { refresh });
  const deliveries = useCall("deliveries", (signal) => channels.listDeliveries({ limit: 50 }, { signal }), { refresh });
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{texts.channels}</h1>
          <p class="field-hint">{texts.channelsText}</p>
        </div>
      </div>
      <section class="panel" aria-label={texts.channels} data-panel="channels">
        <Loaded state={known} height="8rem" empty={texts.noChannels} isEmpty={(answer) => answer.channels.length === 0}>
          {(answer) => (
            <ul class="entries">
              {answer.channels.map((channel) => (
                <Channel key={channel.id} channel={channel} onTest={deliveries.reload} onChange={known.reload} />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      {mayForAll("write:uptime") && <NewChannel onCreate={known.reload} />}
      <section class="panel" aria-labelledby="deliveries" data-panel="deliveries">
        <div class="panel-head">
          <h2 id="deliveries">{texts.deliveries}</h2>
          <button type="button" class="button button-plain" onClick={deliveries.reload}>
            {texts.reload}
          </button>
        </div>
        <DeliveryTable
          state={deliveries}
          channels={known.value?.channels ?? []}
          zone={website.timezone}
          empty={texts.noDeliveries}
        />
      </section>
    </>
  );
}

type ChannelProps = {
  readonly channel: NotificationChannel;
  readonly onTest: () => void;
  readonly onChange: () => void;
};

function Channel({ channel, onTest, onChange }: ChannelProps) {
  const { id, name, kind, target } = channel;
  const { uptime: texts } = allTexts();
  const isSent = useSignal(false);
  const isEditing = useSignal(false);
  return (
    <li class="entry" data-channel={id}>
      <div class="entry-head">
        <b>{name}</b>
        <span class="tag">{texts.kinds[kind as keyof typeof texts.kinds] ?? kind}</span>
        <span class="entry-target">{target}</span>
      </div>
      {mayForAll("write:uptime") && (
        <div class="entry-tools">
          <ActionButton
            about={name}
            onAct={async () => {
              isSent.value = false;
              await channels.testNotificationChannel({ id });
              isSent.value = true;
              onTest();
              // Most messages arrive within a moment.
              setTimeout(onTest, 2_000);
            }}
          >
            {texts.sendTest}
          </ActionButton>
          <button type="button" class="button" onClick={() => (isEditing.value = true)}>
            {texts.edit}
            <span class="said"> {name}</span>
          </button>
          {isEditing.value && (
            <EditChannel channel={channel} onChange={onChange} onClose={() => (isEditing.value = false)} />
          )}
          <ConfirmButton
            class="button button-bad"
            label={texts.delete}
            about={name}
            title={texts.deleteChannelTitle(name)}
            text={texts.deleteChannelText}
            onConfirm={async () => {
              await channels.deleteNotificationChannel({ id });
              onChange();
            }}
          />
          <span role="status" class="field-hint">
            {isSent.value ? texts.testSent : ""}
          </span>
        </div>
      )}
    </li>
  );
}
