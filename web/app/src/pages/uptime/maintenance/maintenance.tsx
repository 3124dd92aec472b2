import type { MaintenanceWindow } from "../../../../../../packages/client-js/src/gen/lookout/v1/maintenance_pb.ts";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { formatInstant } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { State } from "../../../ui/uptime/state.tsx";
import type { PartProps } from "../partProps.ts";
import { maintenanceWindows, uptime } from "../services.ts";
import { NewWindow } from "./newWindow.tsx";

/** Times in which monitors are expected to be down. */
export function Maintenance({ website: { id: websiteId, timezone } }: PartProps) {
  const { uptime: texts } = allTexts();
  const windows = useCall(`windows of ${websiteId}`, (signal) =>
    maintenanceWindows.listMaintenanceWindows({ websiteId }, { signal }),
  );
  const monitors = useCall(`monitors of ${websiteId}`, (signal) => uptime.listMonitors({ websiteId }, { signal }));
  const known = monitors.value?.monitors ?? [];
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{texts.maintenance}</h1>
          <p class="field-hint">{texts.maintenanceText}</p>
        </div>
      </div>
      <section class="panel" aria-label={texts.maintenance} data-panel="maintenance">
        <Loaded state={windows} height="8rem" empty={texts.noWindows} isEmpty={(list) => list.windows.length === 0}>
          {(list) => (
            <ul class="entries">
              {list.windows.toReversed().map((window) => (
                <Entry key={window.id} window={window} zone={timezone} monitors={known} onDelete={windows.reload} />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      {may("write:uptime") && (
        <NewWindow websiteId={websiteId} zone={timezone} monitors={known} onCreate={windows.reload} />
      )}
    </>
  );
}

type EntryProps = {
  readonly window: MaintenanceWindow;
  readonly zone: string;
  readonly monitors: readonly Monitor[];
  readonly onDelete: () => void;
};

function Entry({ window: { id, title, startsAt, endsAt, monitorIds }, zone, monitors, onDelete }: EntryProps) {
  const { uptime: texts } = allTexts();
  const nowMs = Date.now();
  const phase = Date.parse(endsAt) <= nowMs ? "over" : Date.parse(startsAt) <= nowMs ? "maintenance" : "planned";
  const names = monitorIds.map((of) => monitors.find((monitor) => monitor.id === of)?.name ?? texts.deletedMonitor);
  return (
    <li class="entry" data-window={id}>
      <div class="entry-head">
        <State name={phase} />
        <b>{title}</b>
      </div>
      <p>
        <time dateTime={startsAt}>{formatInstant(startsAt, zone)}</time>
        {" – "}
        <time dateTime={endsAt}>{formatInstant(endsAt, zone)}</time>
      </p>
      <p class="field-hint">{names.length === 0 ? texts.allMonitors : names.join(", ")}</p>
      {may("write:uptime") && (
        <div class="entry-tools">
          <ConfirmButton
            class="button button-bad"
            label={texts.delete}
            about={title}
            title={texts.deleteWindowTitle(title)}
            text={texts.deleteWindowText}
            onConfirm={async () => {
              await maintenanceWindows.deleteMaintenanceWindow({ id });
              onDelete();
            }}
          />
        </div>
      )}
    </li>
  );
}
