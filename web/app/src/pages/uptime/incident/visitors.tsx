import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Incident } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { CallState } from "../../../api/useCall.ts";
import { formatCount, formatTenths } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import type { Drawing } from "../../../ui/plot/startPlot.ts";
import { ScrollArea } from "../../../ui/scrollArea.tsx";
import { TableToggle } from "../../../ui/tableToggle.tsx";
import type { MeantimeVisitors } from "./askVisitors.ts";
import type { DrawnVisitors } from "./drawVisitors.ts";
import { clock, shortSpan } from "./incidentTime.ts";
import { stepsOf, usualBand, usualOf } from "./usual.ts";
import type { VisitorRow } from "./visitorRow.ts";

type VisitorsProps = {
  readonly state: CallState<MeantimeVisitors>;
  readonly incident: Incident;
  readonly zone: string;
};

/** Visitors around an incident beside what is usual at that time of the week. */
export function Visitors({ state, incident, zone }: VisitorsProps) {
  const { incident: texts } = allTexts();
  const showsTable = useSignal(false);
  const known = state.value;
  const hasBand = known?.span !== undefined && rowsOf(known).some(({ usual }) => usual !== undefined);
  return (
    <section class="panel" aria-labelledby="meanwhile" data-panel="meanwhile">
      <div class="panel-head">
        <div class="panel-title">
          <h2 id="meanwhile">{texts.visitors}</h2>
          {known !== undefined && (
            <span class="field-hint">
              {(hasBand ? texts.chartHint : texts.chartHintAlone)(shortSpan(known.span.stepMs))}
            </span>
          )}
        </div>
        <TableToggle showsTable={showsTable} />
      </div>
      <div class="panel-part">
        <Loaded state={state} height="11rem">
          {(visitors) => {
            const rows = rowsOf(visitors);
            if (rows.every(({ now }) => now === null)) return <p class="nothing">{texts.noVisitors}</p>;
            return (
              <>
                <Canvas
                  drawn={{
                    rows,
                    fromMs: Date.parse(incident.startedAt),
                    untilMs:
                      incident.resolvedAt === undefined ? visitors.span.untilMs : Date.parse(incident.resolvedAt),
                    nowName: texts.now,
                    usualName: texts.usual,
                    incidentName: texts.incidentHere,
                    zone,
                  }}
                />
                {showsTable.value && <VisitorTable rows={rows} zone={zone} />}
              </>
            );
          }}
        </Loaded>
      </div>
    </section>
  );
}

function rowsOf({ span, now, before }: MeantimeVisitors): VisitorRow[] {
  return stepsOf(span).map(({ fromMs }, index) => {
    const values = before.map(({ steps }) => steps[index]);
    const band = usualBand(values);
    return { fromMs, now: now.steps[index] ?? null, usual: usualOf(values), low: band?.low, high: band?.high };
  });
}

function Canvas({ drawn }: { readonly drawn: DrawnVisitors }) {
  const canvas = useRef<HTMLDivElement>(null);
  const key = JSON.stringify(drawn);
  useEffect(() => {
    let isGone = false;
    let drawing: Drawing | undefined;
    void import("./drawVisitors.ts").then(({ drawVisitors }) => {
      if (!isGone && canvas.current !== null) drawing = drawVisitors(canvas.current, drawn);
    });
    return () => {
      isGone = true;
      drawing?.remove();
    };
  }, [key]);
  return <div class="incident-canvas" ref={canvas} role="img" aria-label={allTexts().incident.chartOf} />;
}

function VisitorTable({ rows, zone }: { readonly rows: readonly VisitorRow[]; readonly zone: string }) {
  const { incident: texts, uptime } = allTexts();
  return (
    <ScrollArea class="chart-table" label={texts.visitors}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{uptime.time}</th>
            <th scope="col">{texts.now}</th>
            <th scope="col">{texts.usual}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ fromMs, now, usual }) => (
            <tr key={fromMs}>
              <th scope="row">{clock(fromMs, zone)}</th>
              <td>{now === null ? "–" : formatCount(now)}</td>
              <td>{usual === undefined ? "–" : formatTenths(usual)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
