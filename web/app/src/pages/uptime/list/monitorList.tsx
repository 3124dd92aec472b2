import { useSignal } from "@preact/signals";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { useEvery } from "../../../ui/useEvery.ts";
import type { PartProps } from "../partProps.ts";
import { refreshMs, statusPages, uptime } from "../services.ts";
import { ChosenBar } from "./chosenBar.tsx";
import { ChosenBox } from "./chosenBox.tsx";
import { countsOf } from "./countsOf.ts";
import { listDays, MonitorRow } from "./monitorRow.tsx";
import { OpenIncidents } from "./openIncidents.tsx";
import { type KnownRow, type SortedBy, sortedRows } from "./sortedRows.ts";
import { SortHeading } from "./sortHeading.tsx";
import "../../../styles/monitors.css";

type RowFigures = Pick<KnownRow, "p95Ms" | "summary">;

/** The monitors of a website with their state, their last 30 days and their response times. */
export function MonitorList({ website: { id: websiteId } }: PartProps) {
  const { uptime: texts } = allTexts();
  const refresh = useEvery(refreshMs);
  const monitors = useCall(`monitors of ${websiteId}`, (signal) => uptime.listMonitors({ websiteId }, { signal }), {
    refresh,
  });
  // The states come from the status page, which also knows of maintenance.
  const states = useCall(
    `states of ${websiteId}`,
    (signal) => statusPages.getStatusPage({ websiteId, days: 1 }, { signal }),
    { refresh },
  );
  const sortedBy = useSignal<SortedBy | undefined>(undefined);
  const figures = useSignal<Readonly<Record<string, RowFigures>>>({});
  const stateOfMonitor = (monitor: Monitor): string | undefined =>
    monitor.status === "stopped" || monitor.status === "paused"
      ? monitor.status
      : states.value === undefined && states.error === undefined
        ? undefined
        : (states.value?.monitors.find(({ id }) => id === monitor.id)?.status ?? "unknown");
  const inOrder = (list: readonly Monitor[]): readonly Monitor[] => {
    if (sortedBy.value === undefined) return list;
    const known = list.map((monitor): KnownRow => {
      const { p95Ms, summary } = figures.value[monitor.id] ?? {};
      return { id: monitor.id, name: monitor.name, state: stateOfMonitor(monitor), p95Ms, summary };
    });
    const order = sortedRows(known, sortedBy.value);
    return list.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  };
  const chosen = useSignal<readonly string[]>([]);
  const mayChange = may("write:uptime");
  const chosenOf = (list: readonly Monitor[]) => list.filter(({ id }) => chosen.value.includes(id));
  return (
    <>
      <div class="page-head">
        <div class="list-title">
          <h1>{texts.title}</h1>
          {monitors.value !== undefined && monitors.value.total > 0 && (
            <p class="field-hint">{countsOf(monitors.value.monitors.map(stateOfMonitor))}</p>
          )}
        </div>
        {mayChange && (
          <a class="button button-main" href={hrefTo(["uptime", websiteId, "new"])}>
            {texts.newMonitor}
          </a>
        )}
      </div>
      <OpenIncidents websiteId={websiteId} status={states.value} />
      <section class="panel" aria-label={texts.monitors} data-panel="monitors">
        {mayChange && (
          <ChosenBar
            chosen={chosenOf(monitors.value?.monitors ?? [])}
            onChoose={(ids) => {
              chosen.value = ids;
            }}
            onChange={monitors.reload}
          />
        )}
        <Loaded
          state={monitors}
          height="12rem"
          empty={mayChange ? texts.noMonitors : texts.noMonitorsToSee}
          isEmpty={(list) => list.total === 0}
        >
          {(list) => (
            <table class="monitors">
              <thead>
                <tr>
                  {mayChange && (
                    <td class="monitor-choice">
                      <ChosenBox
                        label={texts.chooseAll}
                        isChosen={chosenOf(list.monitors).length === list.monitors.length}
                        isPartly={
                          chosenOf(list.monitors).length > 0 && chosenOf(list.monitors).length < list.monitors.length
                        }
                        onChoose={(isChosen) => {
                          chosen.value = isChosen ? list.monitors.map(({ id }) => id) : [];
                        }}
                      />
                    </td>
                  )}
                  <SortHeading by="state" sortedBy={sortedBy} class="monitor-state">
                    {texts.state}
                  </SortHeading>
                  <SortHeading by="name" sortedBy={sortedBy}>
                    {texts.monitor}
                  </SortHeading>
                  <th scope="col" class="monitor-days">
                    {texts.lastDays(listDays)}
                  </th>
                  <th scope="col" class="monitor-spark">
                    {texts.response}
                  </th>
                  <th scope="col" class="monitor-p50">
                    p50
                  </th>
                  <SortHeading by="p95" sortedBy={sortedBy} class="monitor-p95">
                    p95
                  </SortHeading>
                  <SortHeading by="up" sortedBy={sortedBy} class="monitor-figures">
                    {texts.states.up}
                  </SortHeading>
                  {mayChange && (
                    <td class="monitor-tools">
                      <span class="said">{texts.actions}</span>
                    </td>
                  )}
                </tr>
              </thead>
              <tbody>
                {inOrder(list.monitors).map((monitor) => (
                  <MonitorRow
                    key={monitor.id}
                    monitor={monitor}
                    state={stateOfMonitor(monitor)}
                    refresh={refresh}
                    isWanted={sortedBy.value === "p95" || sortedBy.value === "up"}
                    isChosen={chosen.value.includes(monitor.id)}
                    onChoose={(isChosen) => {
                      const others = chosen.peek().filter((id) => id !== monitor.id);
                      chosen.value = isChosen ? [...others, monitor.id] : others;
                    }}
                    onKnown={(row) => {
                      figures.value = { ...figures.peek(), [monitor.id]: row };
                    }}
                    onChange={monitors.reload}
                  />
                ))}
              </tbody>
            </table>
          )}
        </Loaded>
      </section>
      <p class="field-hint">{texts.daysAreUtc}</p>
    </>
  );
}
