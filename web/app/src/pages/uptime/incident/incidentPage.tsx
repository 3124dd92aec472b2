import type {
  GetIncidentResponse,
  Incident,
  Monitor,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { NotFound } from "../../../shell/notFound.tsx";
import { useTitle } from "../../../shell/useTitle.ts";
import { formatDay } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { wallClock } from "../../../texts/wallClock.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { State } from "../../../ui/uptime/state.tsx";
import { useEvery } from "../../../ui/useEvery.ts";
import { DeliveryTable } from "../notify/deliveryTable.tsx";
import type { PartProps } from "../partProps.ts";
import { channels, refreshMs, statusPages, uptime } from "../services.ts";
import { CheckGrid } from "./checkGrid.tsx";
import { Customers } from "./customers.tsx";
import { Happened } from "./happened.tsx";
import { IncidentFacts } from "./incidentFacts.tsx";
import { incidentTitle } from "./incidentTitle.ts";
import { useVisitors } from "./useVisitors.ts";
import { Visitors } from "./visitors.tsx";
import "../../../styles/incident.css";

/** /uptime/<website>/incident/<id>: one incident, from the first failed check to what customers were told. */
export function IncidentPage({ website, incidentId: id }: PartProps & { readonly incidentId: string }) {
  const refresh = useEvery(refreshMs);
  const state = useCall(`incident ${id}`, (signal) => uptime.getIncident({ id }, { signal }), { refresh });
  if (state.error?.code === "NOT_FOUND") return <NotFound />;
  return (
    <div class="page">
      <Loaded state={state} height="40rem">
        {(answer) =>
          answer.incident === undefined || answer.monitor === undefined ? null : (
            <Shown
              website={website}
              answer={answer}
              incident={answer.incident}
              monitor={answer.monitor}
              onChange={state.reload}
            />
          )
        }
      </Loaded>
    </div>
  );
}

type ShownProps = PartProps & {
  readonly answer: GetIncidentResponse;
  readonly incident: Incident;
  readonly monitor: Monitor;
  readonly onChange: () => void;
};

function Shown({ website, answer, incident, monitor, onChange }: ShownProps) {
  const { incident: texts, uptime: uptimeTexts } = allTexts();
  const zone = website.timezone;
  const title = incidentTitle(monitor.name, incident.firstError, texts.titles);
  useTitle(title);
  const isOngoing = incident.resolvedAt === undefined;
  const known = useCall("channels", (signal) => channels.listNotificationChannels({}, { signal }));
  const pages = useCall(`pages of ${website.id}`, (signal) =>
    statusPages.listStatusPages({ websiteId: website.id }, { signal }),
  );
  const visitors = useVisitors(website, incident);
  return (
    <>
      <nav class="crumbs" aria-label={uptimeTexts.parts}>
        <a href={hrefTo(["uptime", website.id])}>{uptimeTexts.title}</a>
        <span aria-hidden="true">›</span>
        <a href={hrefTo(["uptime", website.id, "monitor", monitor.id])}>{monitor.name}</a>
        <span aria-hidden="true">›</span>
        <span>{texts.of(formatDay(wallClock(Date.parse(incident.startedAt), zone), { withYear: false }))}</span>
      </nav>
      <div class="page-head">
        <div class="incident-title">
          <h1>{title}</h1>
          <span class="pill" data-state={incident.status}>
            <State name={isOngoing ? "ongoing" : "over"} />
          </span>
        </div>
        <div class="page-tools">
          <CopyButton class="button button-plain" text={location.href} label={texts.copyLink} />
          {incident.workflowUrl !== undefined && (
            <a class="button" href={incident.workflowUrl} rel="noreferrer noopener" target="_blank">
              {uptimeTexts.workflow}
            </a>
          )}
          {isOngoing && incident.acknowledgedAt === undefined && may("write:uptime") && (
            <ActionButton
              class="button button-main"
              onAct={async () => {
                await uptime.acknowledgeIncident({ id: incident.id });
                onChange();
              }}
            >
              {uptimeTexts.acknowledge}
            </ActionButton>
          )}
        </div>
      </div>
      <IncidentFacts
        answer={answer}
        incident={incident}
        monitor={monitor}
        website={website}
        visitors={visitors.value}
      />
      <div class="incident-parts">
        <div class="incident-column">
          <Happened
            answer={answer}
            monitor={monitor}
            zone={zone}
            channels={known.value?.channels ?? []}
            pages={pages.value?.pages ?? []}
            onChange={onChange}
          />
          <CheckGrid answer={answer} monitor={monitor} zone={zone} />
          <section class="panel" aria-labelledby="deliveries" data-panel="deliveries">
            <div class="panel-head">
              <h2 id="deliveries">{texts.deliveries}</h2>
            </div>
            <DeliveryTable
              state={{ value: answer, error: undefined, isLoading: false, reload: onChange }}
              channels={known.value?.channels ?? []}
              zone={zone}
              empty={texts.noDeliveries}
            />
          </section>
        </div>
        <div class="incident-column">
          {may("read:data") && <Visitors state={visitors} incident={incident} zone={zone} />}
          <Customers incident={incident} monitor={monitor} reports={answer.reports} pages={pages} onChange={onChange} />
        </div>
      </div>
      <p class="field-hint">{allTexts().dashboard.timeZone(zone)}</p>
    </>
  );
}
