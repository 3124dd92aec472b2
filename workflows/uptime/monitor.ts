import {
  ApplicationFailure,
  condition,
  continueAsNew,
  defineSignal,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { MonitorRun } from "../../src/uptime/run/monitorRun.ts";
import type { ConfigureSignal, MonitorNow } from "../../src/uptime/run/monitorSettings.ts";
import { slotAfter, slotAt } from "../../src/uptime/state/slots.ts";
import { advance, initialState, type MonitorState } from "../../src/uptime/state/state.ts";
import { object, readPayload, wholeNumber } from "../payload.ts";
import { checkSlot } from "./monitorCheck.ts";
import { MonitorDetails } from "./monitorDetails.ts";
import { TransitionQueue } from "./monitorTransitions.ts";
import type { UptimeActivities } from "./uptimeActivities.ts";

/** Says that PostgreSQL has a new revision of the monitor. */
export const configure = defineSignal<[ConfigureSignal]>("configure");

const configureShape = object<ConfigureSignal>({ revision: wholeNumber(0, 2 ** 31 - 1) });

const { loadMonitor } = proxyLocalActivities<UptimeActivities>({
  startToCloseTimeout: "30 seconds",
  // A PostgreSQL that is away is waited for: the retries have no end.
  retry: { initialInterval: "1 second", maximumInterval: "30 seconds" },
});

/**
 * A run is followed by a new one past so many events, about 30 checks. Far below what Temporal suggests: a worker that starts replays
 * the runs of all its monitors, and a replay that takes longer than a workflow task may take is never done. Measured with 50
 * monitors on a loaded machine: 172 s until all were back after 370 events a run, 17 s after 72.
 */
const maxEvents = 200;

/** How long the end of a run waits for transitions on their way, which the next run would record once more. */
const recordPatienceMs = 5_000;

/**
 * A monitor for as long as it lives, workflow id `monitor/<id>`: waits for each slot, has the URL checked and keeps the incident. How the
 * monitor is to be stands in PostgreSQL: a signal only says when to look, and each check looks by itself.
 *
 * A slot that came due while nobody could check, or during the check before it, is checked as soon as that is over, late. Of several such
 * slots it is the last one: those before stay without a check and are unknown.
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
  setHandler(configure, (...args) => {
    const { value, problem } = readPayload(args, configureShape);
    if (problem !== undefined) details.ignored("configure", problem, Date.now());
    else if (settings === undefined || value.revision > settings.revision) isChanged = true;
  });
  const isFull = () => workflowInfo().historyLength > maxEvents;

  for (;;) {
    if (isChanged) {
      isChanged = false;
      take(await loadMonitor(monitorId));
    }
    if (settings === undefined) break;
    const isActive = settings.status === "active";
    const { websiteId, intervalMs, phaseMs, dueFromMs } = settings;
    const nextMs = slotAfter(Math.max(dueFromMs ?? Date.now(), lastDueMs), intervalMs, phaseMs);
    const shown = details.show(settings, state, isActive ? nextMs : undefined);
    if (isFull()) {
      await condition(() => transitions.waiting.length === 0, recordPatienceMs);
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
    const waitMs = nextMs - Date.now();
    if (waitMs > 0 && (await condition(isInterrupted, waitMs, { summary: "until the next check" }))) continue;

    const dueMs = Math.max(nextMs, slotAt(Date.now(), intervalMs, phaseMs));
    const slot = { monitorId, websiteId, dueMs, untilMs: dueMs + intervalMs };
    // What is on its way to PostgreSQL is not there to compare with.
    const incidentMs = transitions.waiting.length > 0 ? undefined : (state.incident?.startedMs ?? null);
    const { thresholds } = settings;
    const checked = await checkSlot(settings, slot, incidentMs);
    if (checked.kind === "changed") {
      take(checked.now);
      continue;
    }
    lastDueMs = dueMs;
    const changes = advance(state, checked.slot, thresholds);
    state = changes.state;
    details.checked(checked.slot);
    transitions.add(dueMs, changes);
  }
  // What was opened is closed before the workflow is gone.
  if (state.incident !== undefined) transitions.abandon(Date.now(), state.incident);
  await transitions.whenRecorded();
  details.end();
}

/** PostgreSQL's incident is the true one: this workflow may be new, or was reset to a time before the incident opened or was over. */
function withIncident(state: MonitorState, incident: MonitorNow["incident"]): MonitorState {
  if (incident === undefined || incident?.startedMs === state.incident?.startedMs) return state;
  return { ...state, incident: incident ?? undefined, failing: undefined };
}
