import type { GetStatusPageResponse } from "../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { hrefTo } from "../../../router/router.ts";
import { formatSpan } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { incidentSegments } from "../../../ui/uptime/incidentAddress.ts";

type OpenIncidentsProps = { readonly websiteId: string; readonly status: GetStatusPageResponse | undefined };

/** What is down now, above everything else. */
export function OpenIncidents({ websiteId, status }: OpenIncidentsProps) {
  const { uptime: texts, incident } = allTexts();
  const open = (status?.incidents ?? []).filter(({ status: state }) => state === "ongoing");
  if (open.length === 0) return null;
  return (
    <ul class="open-incidents">
      {open.map(({ id, monitorName, durationMs }) => (
        <li key={id} class="open-incident" data-incident={id}>
          <p>
            <b>{texts.isDownNow(monitorName)}</b> · {texts.sinceSpan(formatSpan(durationMs))}
          </p>
          <a class="button" href={hrefTo(incidentSegments(websiteId, id))}>
            {incident.open}
            <span class="said"> {monitorName}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
