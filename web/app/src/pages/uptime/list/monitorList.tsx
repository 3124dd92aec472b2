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
import { listDays, MonitorRow } from "./monitorRow.tsx";
import { OpenIncidents } from "./openIncidents.tsx";
import { type KnownRow, type SortedBy, sortedRows } from "./sortedRows.ts";
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
  const heading = (by: SortedBy, name: string, look = "") => (
    <th
      scope="col"
      class={look}
      aria-sort={sortedBy.value === by ? (by === "p95" ? "descending" : "ascending") : undefined}
    >
      <button
        type="button"
        class="sort-button"
        onClick={() => {
          sortedBy.value = sortedBy.value === by ? undefined : by;
        }}
      >
        {name}
        <span class="sort-sign" aria-hidden="true" />
      </button>
    </th>
  );
  return (
    <>
      <div class="page-head">
        <div class="list-title">
          <h1>{texts.title}</h1>
          {monitors.value !== undefined && monitors.value.total > 0 && (
            <p class="field-hint">{countsOf(monitors.value.monitors.map(stateOfMonitor))}</p>
          )}
        </div>
        {may("write:uptime") && (
          <a class="button button-main" href={hrefTo(["uptime", websiteId, "new"])}>
            {texts.newMonitor}
          </a>
        )}
      </div>
      <OpenIncidents websiteId={websiteId} status={states.value} />
      <section class="panel" aria-label={texts.monitors} data-panel="monitors">
        <Loaded
          state={monitors}
          height="12rem"
          empty={may("write:uptime") ? texts.noMonitors : texts.noMonitorsToSee}
          isEmpty={(list) => list.total === 0}
        >
          {(list) => (
            <table class="monitors">
              <thead>
                <tr>
                  {heading("state", texts.state, "monitor-state")}
                  {heading("name", texts.monitor)}
                  <th scope="col" class="monitor-days">
                    {texts.lastDays(listDays)}
                  </th>
                  <th scope="col" class="monitor-spark">
                    {texts.response}
                  </th>
                  <th scope="col" class="monitor-p50">
                    p50
                  </th>
                  {heading("p95", "p95", "monitor-p95")}
                  {heading("up", texts.states.up, "monitor-figures")}
                  {may("write:uptime") && (
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

/** How many there are, and how many of them are not up. */
function countsOf(states: readonly (string | undefined)[]): string {
  const { uptime: texts } = allTexts();
  const countOf = (name: string): number => states.filter((state) => state === name).length;
  return [
    texts.monitorCount(states.length),
    ...(["down", "degraded", "paused"] as const).flatMap((name) =>
      countOf(name) === 0 ? [] : [`${countOf(name)} ${texts.stateCounts[name]}`],
    ),
  ].join(" · ");
}
