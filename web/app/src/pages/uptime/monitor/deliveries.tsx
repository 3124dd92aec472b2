import { useCall } from "../../../api/useCall.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { DeliveryTable } from "../notify/deliveryTable.tsx";
import type { MonitorPartProps } from "../partProps.ts";
import { channels } from "../services.ts";

/** What was sent about the monitor, and whether it arrived. */
export function Deliveries({ monitor, zone, refresh }: MonitorPartProps) {
  const { uptime: texts } = allTexts();
  const deliveries = useCall(
    `deliveries of ${monitor.id}`,
    (signal) => channels.listDeliveries({ monitorId: monitor.id, limit: 50 }, { signal }),
    { refresh },
  );
  const known = useCall("channels", (signal) => channels.listNotificationChannels({}, { signal }));
  return (
    <section class="panel" aria-labelledby="deliveries" data-panel="deliveries">
      <div class="panel-head">
        <h2 id="deliveries">{texts.deliveries}</h2>
      </div>
      <DeliveryTable state={deliveries} channels={known.value?.channels ?? []} zone={zone} empty={texts.noDeliveries} />
    </section>
  );
}
