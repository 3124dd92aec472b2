import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { goTo, hrefTo } from "../../../router/router.ts";
import { NotFound } from "../../../shell/notFound.tsx";
import { useTitle } from "../../../shell/useTitle.ts";
import { formatMs } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useEvery } from "../../../ui/useEvery.ts";
import { CheckOutcome } from "../checkNow/checkOutcome.tsx";
import { useCheck } from "../checkNow/useCheck.ts";
import type { MonitorPartProps, PartProps } from "../partProps.ts";
import { refreshMs, uptime } from "../services.ts";
import { Availability } from "./availability.tsx";
import { Certificate } from "./certificate.tsx";
import { Checks } from "./checks.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Incidents } from "./incidents.tsx";
import { Now } from "./now.tsx";
import { ResponseTimes } from "./responseTimes.tsx";

type MonitorPageProps = PartProps & { readonly monitorId: string };

/** /uptime/<website>/monitor/<id>. */
export function MonitorPage({ website, monitorId }: MonitorPageProps) {
  const refresh = useEvery(refreshMs);
  const state = useCall(
    `monitor ${monitorId}`,
    async (signal) => (await uptime.getMonitor({ id: monitorId }, { signal })).monitor,
    { refresh },
  );
  if (state.error?.code === "NOT_FOUND") return <NotFound />;
  return (
    <div class="page">
      <p>
        <a href={hrefTo(["uptime", website.id])}>
          <span aria-hidden="true" class="back-arrow" />
          {allTexts().uptime.allMonitors}
        </a>
      </p>
      <Loaded state={state} height="40rem">
        {(monitor) =>
          monitor === undefined ? null : (
            <Shown monitor={monitor} zone={website.timezone} refresh={refresh} onChange={state.reload} />
          )
        }
      </Loaded>
    </div>
  );
}

function Shown({ onChange, ...part }: MonitorPartProps & { readonly onChange: () => void }) {
  const { uptime: texts } = allTexts();
  const { monitor, zone, refresh } = part;
  useTitle(monitor.name);
  const check = useCheck();
  const status = useCall(
    `status of ${monitor.id} ${monitor.status} ${monitor.updatedAt}`,
    (signal) => uptime.getStatus({ monitorId: monitor.id }, { signal }),
    { refresh },
  );
  return (
    <>
      <div class="page-head">
        <div class="monitor-title">
          <h1>{monitor.name}</h1>
          <p class="monitor-url">
            <a href={monitor.url} rel="noreferrer noopener" target="_blank">
              {monitor.url}
            </a>
          </p>
          <p class="field-hint">
            {texts.everyInterval(monitor.method, texts.intervals[monitor.interval as keyof typeof texts.intervals])}
            {" · "}
            {texts.timeoutOf(formatMs(monitor.timeout))}
          </p>
        </div>
        <div class="page-tools">
          {monitor.workflowUrl !== undefined && (
            <a class="button button-plain" href={monitor.workflowUrl} rel="noreferrer noopener" target="_blank">
              {texts.workflow}
            </a>
          )}
          {may("write:uptime") && (
            <>
              <button
                type="button"
                class="button"
                disabled={check.isChecking}
                onClick={() => check.start(async () => (await uptime.checkNow({ id: monitor.id })).result)}
              >
                {allTexts().incident.checkNow}
              </button>
              <Tools monitor={monitor} onChange={onChange} />
            </>
          )}
        </div>
      </div>
      <CheckOutcome check={check} />
      <Now monitor={monitor} zone={zone} status={status} />
      <Availability {...part} status={status} />
      <ResponseTimes {...part} />
      <div class="panels">
        <Incidents {...part} />
        {/* An address without one may lead to another with one. */}
        {(monitor.url.startsWith("https:") || status.value?.lastCheck?.sslExpiry !== undefined) && (
          <Certificate monitor={monitor} zone={zone} status={status} />
        )}
      </div>
      <Checks {...part} />
      <Deliveries {...part} />
      <p class="field-hint">{allTexts().dashboard.timeZone(zone)}</p>
    </>
  );
}

/** Edit, pause or resume, delete. */
function Tools({ monitor, onChange }: { readonly monitor: Monitor; readonly onChange: () => void }) {
  const { uptime: texts } = allTexts();
  const { id, websiteId, name, status } = monitor;
  return (
    <>
      <a class="button" href={hrefTo(["uptime", websiteId, "monitor", id, "edit"])}>
        {texts.edit}
      </a>
      <ActionButton
        onAct={async () => {
          await (status === "active" ? uptime.pauseMonitor({ id }) : uptime.resumeMonitor({ id }));
          onChange();
        }}
      >
        {status === "active" ? texts.pause : texts.resume}
      </ActionButton>
      <ConfirmButton
        class="button button-bad"
        label={texts.delete}
        title={texts.deleteMonitorTitle(name)}
        text={texts.deleteMonitorText}
        onConfirm={async () => {
          await uptime.deleteMonitor({ id });
          goTo(["uptime", websiteId]);
        }}
      />
    </>
  );
}
