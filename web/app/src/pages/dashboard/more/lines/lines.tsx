import { useRef } from "preact/hooks";
import { may } from "../../../../api/session.ts";
import { t } from "../../../../texts/texts.ts";
import { useOnScreen } from "../../../../ui/useOnScreen.ts";
import { useDashboard } from "../../context.ts";
import { Panel } from "../../panels/panel.tsx";
import { panels } from "../../panels/panels.ts";
import { Links } from "../links.tsx";
import { Vitals } from "../vitals.tsx";
import { ExcludedLine } from "./excludedLine.tsx";
import { FunnelLine } from "./funnelLine.tsx";
import { Line } from "./line.tsx";
import { ErrorsSaid, EventsSaid, LinksSaid, VitalsSaid } from "./said.tsx";
import { UptimeLine } from "./uptimeLine.tsx";
import { useLineFigures } from "./useLineFigures.ts";
import "../../../../styles/excluded.css";
import "../../../../styles/lines.css";

/** One card of slim lines: each says how a part of the website is, and opens it. */
export function Lines() {
  const { websiteId, isMember, hasFigures } = useDashboard();
  const texts = t();
  const element = useRef<HTMLElement>(null);
  const isWanted = useOnScreen(element) && hasFigures.value;
  const [seesUptime, seesLinks, seesData] = (["read:uptime", "read:links", "read:data"] as const).map(
    (scope) => isMember && may(scope),
  );
  const figures = useLineFigures(isWanted, { isPrivate: isMember, hasLinks: seesLinks === true });
  const panelOf = (id: string) =>
    panels.filter((panel) => panel.id === id).map((panel) => <Panel key={id} panel={panel} />);
  return (
    <section class="panel lines" ref={element} aria-label={texts.lines.title}>
      <ul>
        {seesUptime && <UptimeLine />}
        {seesLinks && (
          <Line id="links" title={texts.links.title} facts={<LinksSaid clicks={figures.clicks} />}>
            <Links />
          </Line>
        )}
        <Line id="vitals" title={texts.more.vitals} facts={<VitalsSaid visits={figures.visits} />}>
          <Vitals />
        </Line>
        {isMember && (
          <>
            <Line id="events" title={texts.panels.events} facts={<EventsSaid visits={figures.visits} />}>
              {panelOf("events")}
            </Line>
            <Line id="errors" title={texts.more.errors} facts={<ErrorsSaid visits={figures.visits} />}>
              {panelOf("errors")}
            </Line>
          </>
        )}
        {isMember && <ExcludedLine key={`excluded ${websiteId}`} isWanted={isWanted} />}
        {seesData && <FunnelLine key={websiteId} isWanted={isWanted} />}
      </ul>
    </section>
  );
}
