import type {
  Delivery,
  NotificationChannel,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/notification_channels_pb.ts";
import type { CallState } from "../../../api/useCall.ts";
import { formatInstant } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { ScrollArea } from "../../../ui/scrollArea.tsx";
import { State } from "../../../ui/uptime/state.tsx";

type DeliveryTableProps = {
  readonly state: CallState<{ readonly deliveries: readonly Delivery[] }>;
  readonly channels: readonly NotificationChannel[];
  readonly zone: string;
  readonly empty: string;
};

/** Messages to channels: what, to whom, and whether it arrived. */
export function DeliveryTable({ state, channels, zone, empty }: DeliveryTableProps) {
  const { uptime: texts } = allTexts();
  return (
    <Loaded state={state} height="8rem" empty={empty} isEmpty={(answer) => answer.deliveries.length === 0}>
      {(answer) => (
        <ScrollArea class="wide-table" label={texts.deliveries}>
          <table class="plain-table plain-table-text">
            <thead>
              <tr>
                <th scope="col">{texts.time}</th>
                <th scope="col">{texts.event}</th>
                <th scope="col">{texts.channel}</th>
                <th scope="col">{texts.state}</th>
                <th scope="col">{texts.attempts}</th>
                <th scope="col">{texts.details}</th>
              </tr>
            </thead>
            <tbody>
              {answer.deliveries.map((delivery) => (
                <tr key={delivery.id}>
                  <th scope="row">
                    <time dateTime={delivery.createdAt}>{formatInstant(delivery.createdAt, zone)}</time>
                  </th>
                  <td>{texts.events[delivery.event as keyof typeof texts.events] ?? delivery.event}</td>
                  <td>{channels.find(({ id }) => id === delivery.channelId)?.name ?? texts.deletedChannel}</td>
                  <td>
                    <State name={delivery.status} />
                  </td>
                  <td>{delivery.attempts}</td>
                  <td>
                    {delivery.lastError}
                    {delivery.lastError !== undefined && delivery.workflowUrl !== undefined && " · "}
                    {delivery.workflowUrl !== undefined && (
                      <a href={delivery.workflowUrl} rel="noreferrer noopener" target="_blank">
                        {texts.workflow}
                      </a>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </Loaded>
  );
}
