import type { Incident } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { formatCount } from "../../../texts/format.ts";
import { formatInstant, formatSpan } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { incidentSegments } from "../../../ui/uptime/incidentAddress.ts";
import { State } from "../../../ui/uptime/state.tsx";
import { lastDays, shownDays } from "../history.ts";
import type { MonitorPartProps } from "../partProps.ts";
import { uptime } from "../services.ts";

/** The incidents of the last 90 days; an ongoing one can be acknowledged. */
export function Incidents({ monitor, zone, refresh }: MonitorPartProps) {
  const { uptime: texts } = allTexts();
  const incidents = useCall(
    `incidents of ${monitor.id}`,
    (signal) => uptime.listIncidents({ monitorId: monitor.id, ...lastDays(Date.now(), shownDays) }, { signal }),
    { refresh },
  );
  return (
    <section class="panel" aria-labelledby="incidents" data-panel="incidents">
      <div class="panel-head">
        <h2 id="incidents">{texts.incidents}</h2>
      </div>
      <Loaded
        state={incidents}
        height="6rem"
        empty={texts.noIncidents}
        isEmpty={(answer) => answer.incidents.length === 0}
      >
        {(answer) => (
          <ul class="entries">
            {answer.incidents.map((incident) => (
              <Entry
                key={incident.id}
                incident={incident}
                websiteId={monitor.websiteId}
                zone={zone}
                onChange={incidents.reload}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

type EntryProps = {
  readonly incident: Incident;
  readonly websiteId: string;
  readonly zone: string;
  readonly onChange: () => void;
};

function Entry({ incident, websiteId, zone, onChange }: EntryProps) {
  const { uptime: texts } = allTexts();
  const { id, startedAt, acknowledgedAt, acknowledgedBy, regions } = incident;
  const isOngoing = incident.status === "ongoing";
  return (
    <li class="entry" data-incident={id}>
      <div class="entry-head">
        <State name={incident.status} />
        <b>
          <a href={hrefTo(incidentSegments(websiteId, id))}>
            <time dateTime={startedAt}>{formatInstant(startedAt, zone)}</time>
          </a>
        </b>
        <span>{isOngoing ? texts.sinceSpan(formatSpan(incident.durationMs)) : formatSpan(incident.durationMs)}</span>
      </div>
      <p class="entry-text">{incident.firstError}</p>
      <p class="field-hint">
        {texts.failedChecks(incident.checksAffected, formatCount(incident.checksAffected))} · {regions.join(", ")}
        {acknowledgedAt !== undefined && (
          <>
            {" · "}
            {texts.acknowledgedBy(acknowledgedBy, formatInstant(acknowledgedAt, zone))}
          </>
        )}
      </p>
      <div class="entry-tools">
        {isOngoing && acknowledgedAt === undefined && may("write:uptime") && (
          <ActionButton
            onAct={async () => {
              await uptime.acknowledgeIncident({ id });
              onChange();
            }}
          >
            {texts.acknowledge}
          </ActionButton>
        )}
      </div>
    </li>
  );
}
