import { UptimeService } from "../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/useCall.ts";
import { hrefTo } from "../../router/router.ts";
import { formatInstant, formatSpan } from "../../texts/formatTime.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../ui/actionButton.tsx";
import { incidentSegments } from "../../ui/uptime/incidentAddress.ts";
import type { OpenIncident, SiteState } from "./siteState.ts";

const uptime = clientOf(UptimeService);

type OpenIncidentsProps = {
  readonly websites: readonly Website[];
  readonly states: ReadonlyMap<string, SiteState> | undefined;
  readonly refresh: number;
};

/** What is down now on any website, newest first. */
export function OpenIncidents({ websites, states, refresh }: OpenIncidentsProps) {
  const open = websites
    .flatMap((website) => (states?.get(website.id)?.incidents ?? []).map((incident) => ({ website, incident })))
    .toSorted((one, other) => other.incident.startedAt.localeCompare(one.incident.startedAt));
  if (open.length === 0) return null;
  return (
    <ul class="alarms" aria-label={allTexts().home.openIncidents}>
      {open.map(({ website, incident }) => (
        <Alarm key={incident.id} website={website} incident={incident} refresh={refresh} />
      ))}
    </ul>
  );
}

type AlarmProps = { readonly website: Website; readonly incident: OpenIncident; readonly refresh: number };

/** An incident in a line. Its reason and regions are asked for, and are left out until they are known. */
function Alarm({ website, incident, refresh }: AlarmProps) {
  const { home, uptime: texts } = allTexts();
  const { id, monitorId, monitorName, startedAt } = incident;
  const details = useCall(
    `incident ${id}`,
    async (signal) => {
      const dateTo = new Date(Date.now() + 60_000).toISOString();
      const { incidents } = await uptime.listIncidents({ monitorId, dateFrom: startedAt, dateTo }, { signal });
      return incidents.find((found) => found.id === id);
    },
    { refresh },
  );
  const known = details.value;
  const facts = [
    home.since(formatInstant(startedAt, website.timezone)),
    home.forTime(formatSpan(Math.max(0, Date.now() - Date.parse(startedAt)))),
    ...(known === undefined ? [] : [known.firstError, known.regions.join(", ")]),
    ...(known?.acknowledgedAt === undefined
      ? []
      : [texts.acknowledgedBy(known.acknowledgedBy, formatInstant(known.acknowledgedAt, website.timezone))]),
  ].filter((fact) => fact !== "");
  return (
    <li class="alarm" data-incident={id}>
      <span class="state" data-state="down">
        <span class="state-sign" aria-hidden="true" />
      </span>
      <p>
        <a class="alarm-link" href={hrefTo(incidentSegments(website.id, id))}>
          {home.isDown(monitorName)}
        </a>{" "}
        <span class="alarm-facts">
          · {website.name} · {facts.join(" · ")}
        </span>
      </p>
      {known !== undefined && known.acknowledgedAt === undefined && may("write:uptime") && (
        <ActionButton
          about={monitorName}
          onAct={async () => {
            await uptime.acknowledgeIncident({ id });
            details.reload();
          }}
        >
          {texts.acknowledge}
        </ActionButton>
      )}
    </li>
  );
}
