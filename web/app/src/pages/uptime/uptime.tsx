import { hrefTo, place } from "../../router/router.ts";
import { NotFound } from "../../shell/notFound.tsx";
import { WebsitePage } from "../../shell/websitePage.tsx";
import { type AllTexts, allTexts } from "../../texts/settings/settingsTexts.ts";
import { EditMonitor } from "./form/editMonitor.tsx";
import { NewMonitor } from "./form/newMonitor.tsx";
import { IncidentPage } from "./incident/incidentPage.tsx";
import { MonitorList } from "./list/monitorList.tsx";
import { Maintenance } from "./maintenance/maintenance.tsx";
import { MonitorPage } from "./monitor/monitorPage.tsx";
import { Channels } from "./notify/channels.tsx";
import type { PartProps } from "./partProps.ts";
import "../../styles/panels.css";
import "../../styles/states.css";
import "../../styles/uptime.css";

/** /uptime/<website>: its monitors, maintenance windows and the channels that are notified. */
export default function Uptime() {
  return <WebsitePage>{(website) => <Part key={website.id} website={website} />}</WebsitePage>;
}

/** The third segment of the path names the part, the fourth a monitor; those after `incident` are its id. */
function Part({ website }: PartProps) {
  const [, , part = "", monitorId, action] = place.value.segments;
  if (part === "monitor" && monitorId !== undefined) {
    if (action === undefined) return <MonitorPage key={monitorId} website={website} monitorId={monitorId} />;
    if (action === "edit") return <EditMonitor key={monitorId} website={website} monitorId={monitorId} />;
  }
  if (part === "incident" && monitorId !== undefined) {
    const incidentId = place.value.segments.slice(3).join("/");
    return <IncidentPage key={incidentId} website={website} incidentId={incidentId} />;
  }
  if (part === "new") return <NewMonitor website={website} />;
  const entry = parts.find(({ name }) => name === part);
  if (entry === undefined || monitorId !== undefined) return <NotFound />;
  return (
    <div class="page">
      <nav class="tabs page-tabs" aria-label={allTexts().uptime.parts}>
        {parts.map(({ name, title }) => (
          <a
            key={name}
            class="tab"
            href={hrefTo(["uptime", website.id, ...(name === "" ? [] : [name])])}
            aria-current={name === part ? "page" : undefined}
          >
            {title(allTexts())}
          </a>
        ))}
      </nav>
      <entry.Content website={website} />
    </div>
  );
}

/** The parts that the links above lead to. A further part is an entry here. */
const parts: readonly {
  readonly name: string;
  readonly title: (texts: AllTexts) => string;
  readonly Content: (props: PartProps) => preact.JSX.Element;
}[] = [
  { name: "", title: (t) => t.uptime.monitors, Content: MonitorList },
  { name: "maintenance", title: (t) => t.uptime.maintenance, Content: Maintenance },
  { name: "channels", title: (t) => t.uptime.channels, Content: Channels },
];
