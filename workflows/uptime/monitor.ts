import {
  ApplicationFailure,
  condition,
  continueAsNew,
  defineSignal,
  patched,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { MonitorRun } from "../../src/uptime/run/monitorRun.ts";
import type { ConfigureSignal, MonitorNow, MonitorSettings } from "../../src/uptime/run/monitorSettings.ts";
import { canBeWatched } from "../../src/uptime/run/watchedMonitor.ts";
import { lastDueSlot, nextSlotMs } from "../../src/uptime/state/slots.ts";
import { advance, initialState, isSteady, type MonitorState, type SlotResult } from "../../src/uptime/state/state.ts";
import { object, readPayload, wholeNumber } from "../payload.ts";
import { checks } from "./checkSinks.ts";
import { checkSlot } from "./monitorCheck.ts";
import { MonitorDetails } from "./monitorDetails.ts";
import { TransitionQueue } from "./monitorTransitions.ts";
import { watch } from "./monitorWatch.ts";
import type { UptimeActivities } from "./uptimeActivities.ts";

/** Notifies that PostgreSQL has a new revision of the monitor. */
export const configure = defineSignal<[ConfigureSignal]>("configure");

const configureShape = object<ConfigureSignal>({ revision: wholeNumber(0, 2 ** 31 - 1) });

const { loadMonitor } = proxyLocalActivities<UptimeActivities>({
  startToCloseTimeout: "30 seconds",
  // No limit on attempts: waits until PostgreSQL is back.
  retry: { initialInterval: "1 second", maximumInterval: "30 seconds" },
});

/**
 * A run continues as a new one after this many events, about 30 checks that are not part of a watch. Far below what
 * Temporal suggests: a worker that starts replays the runs of all its monitors, and a replay that exceeds the workflow
 * task timeout never completes.
 * Measured with 50 monitors on a loaded machine: 172 s until all were back with 370 events per run, 17 s with 72.
 */
const maxEvents = 200;

/** How long the end of a run waits for transitions in flight; the next run would record them again. */
const recordTimeoutMs = 5_000;

/**
 * The workflow of a monitor for its whole life: waits for each slot, has the URL checked
 * and tracks the incident. The settings are in PostgreSQL: a signal only triggers a read, and each check reads them
 * too. While a frequent monitor is in a steady state it is watched: one activity checks slot after slot.
 *
 * A slot that came due during an outage or during the previous check is checked late. Of several such slots only the
 * last one is checked; the earlier ones stay unknown.
 */
export async function monitor({ monitorId, handedOver }: MonitorRun): Promise<void> {
  if (typeof monitorId !== "string")
    throw ApplicationFailure.nonRetryable('A monitor is started by the service, with the input {"monitorId": "<id>"}');
  const details = new MonitorDetails(monitorId, handedOver?.shown);
  const transitions = new TransitionQueue(monitorId, handedOver?.transitions ?? []);
  let settings = handedOver?.settings;
  let { state, lastDueMs } = handedOver ?? { state: initialState, lastDueMs: 0 };
  let isChanged = settings === undefined;
  const take = (now: MonitorNow) => {
    settings = now.settings ?? undefined;
    if (transitions.waiting.length === 0) state = withIncident(state, now.incident);
  };
  const onConfigure = (...args: readonly unknown[]) => {
    const { value, problem } = readPayload(args, configureShape);
    if (problem !== undefined) details.ignored("configure", problem, Date.now());
    else if (settings === undefined || value.revision > settings.revision) isChanged = true;
  };
  setHandler(configure, onConfigure, {
    description:
      'Makes the monitor read its settings in PostgreSQL if they have a newer revision: {"revision": 7}. Sending it at ' +
      "any time is safe. To change or pause the monitor use the API.",
  });
  // A run from before counts failures in a maintenance window for an open incident until it continues as a new one.
  const excludesMaintenance = patched("uncounted-maintenance");
  const applySlot = (slot: SlotResult, { thresholds }: MonitorSettings) => {
    lastDueMs = slot.dueMs;
    const isCounted = !excludesMaintenance && state.incident !== undefined;
    const changes = advance(state, isCounted ? { ...slot, inMaintenance: false } : slot, thresholds);
    state = changes.state;
    details.checked(slot);
    transitions.add(slot.dueMs, changes);
  };
  // A run from before monitors were watched checks each slot by itself until it continues as a new one.
  const mayWatch = patched("watch");
  // The slot after a watch is checked by itself: a watch also ends if it could not check.
  let hasWatched = false;
  const isFull = () => workflowInfo().historyLength > maxEvents;

  for (;;) {
    if (isChanged) {
      isChanged = false;
      take(await loadMonitor(monitorId));
    }
    if (settings === undefined) break;
    const isActive = settings.status === "active";
    const nextMs = nextSlotMs(settings, lastDueMs, Date.now());
    const canWatch = mayWatch && canBeWatched(settings) && isSteady(state) && transitions.waiting.length === 0;
    const isWatched: boolean = isActive && canWatch && !hasWatched;
    const shown = details.show(settings, state, isActive ? nextMs : undefined, isWatched);
    if (isFull()) {
      await condition(() => transitions.waiting.length === 0, recordTimeoutMs);
      if (isChanged) continue;
      const { waiting } = transitions;
      const handover = { settings, state, lastDueMs, transitions: waiting, shown };
      await continueAsNew<typeof monitor>({ monitorId, handedOver: handover });
    }
    const isInterrupted = () => isChanged || isFull();
    if (!isActive) {
      await condition(isInterrupted);
      continue;
    }
    hasWatched = isWatched;
    if (isWatched) {
      const end = await watch({ monitorId, settings, state, lastDueMs }, isInterrupted);
      lastDueMs = end.lastDueMs;
      if (end.slot !== undefined) applySlot(end.slot, settings);
      continue;
    }
    const waitMs = nextMs - Date.now();
    if (waitMs > 0 && (await condition(isInterrupted, waitMs, { summary: "until the next check" }))) continue;

    const { slot, skipped } = lastDueSlot(monitorId, settings, nextMs, Date.now());
    if (skipped > 0) checks.lost("skipped", skipped);
    // Not comparable with PostgreSQL while transitions are in flight.
    const incidentMs = transitions.waiting.length > 0 ? undefined : (state.incident?.startedMs ?? null);
    const checked = await checkSlot(settings, slot, incidentMs);
    if (checked.kind === "changed") {
      take(checked.now);
      continue;
    }
    applySlot(checked.slot, settings);
  }
  // An open incident is closed before the workflow ends.
  if (state.incident !== undefined) transitions.abandon(Date.now(), state.incident);
  await transitions.whenRecorded();
  details.end();
}

/**
 * PostgreSQL's incident is authoritative: this workflow may be new, or was reset to a time before the incident was
 * opened or resolved.
 */
function withIncident(state: MonitorState, incident: MonitorNow["incident"]): MonitorState {
  if (incident === undefined || incident?.startedMs === state.incident?.startedMs) return state;
  return { ...state, incident: incident ?? undefined, failing: undefined };
}
