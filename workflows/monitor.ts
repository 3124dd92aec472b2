import { condition, continueAsNew, defineSignal, patched, setHandler, workflowInfo } from "@temporalio/workflow";
import type { MonitorRun } from "../src/uptime/monitorRun.ts";
import type { MonitorSettings } from "../src/uptime/monitorSettings.ts";
import { slotAfter, slotAt } from "../src/uptime/slots.ts";
import { advance, type MonitorState } from "../src/uptime/state.ts";
import { checkSlot } from "./monitorCheck.ts";
import { MonitorDetails } from "./monitorDetails.ts";
import { TransitionQueue } from "./monitorTransitions.ts";

/** Says how the monitor is to be from now on. Of several the one with the highest revision holds. */
export const configure = defineSignal<[MonitorSettings]>("configure");

/**
 * A run is followed by a new one past so many events, about 30 checks. Far below what Temporal suggests: a worker that starts replays
 * the runs of all its monitors, and a replay that takes longer than a workflow task may take is never done. Measured with 50
 * monitors on a loaded machine: 172 s until all were back after 370 events a run, 17 s after 72.
 */
const maxEvents = 200;

/** How long the end of a run waits for transitions on their way, which the next run would record once more. */
const recordPatienceMs = 5_000;

/** What held for runs that began before the patch `slot-due-during-check`. */
const maxEventsBefore = 1_000;

/**
 * A monitor for as long as it lives, workflow id `monitor/<id>`: waits for each slot, has the URL checked and keeps the incident.
 *
 * A slot that came due while nobody could check, or during the check before it, is checked as soon as that is over, late. Of several such
 * slots it is the last one: those before stay without a check and are unknown.
 *
 * Running monitors outlive a new version of this file, and replay their history with it: what issues other commands than before goes
 * behind `patched`, and test/workflows/histories shows what is out there.
 */
export async function monitor(run: MonitorRun): Promise<void> {
  let settings = run.settings;
  setHandler(configure, (told) => {
    if (settings === undefined || told.revision > settings.revision) settings = told;
  });
  await condition(() => settings !== undefined);

  const details = new MonitorDetails(run);
  const transitions = new TransitionQueue(run.transitions);
  let { state, lastDueMs } = run;
  // Without it a slot that comes due during a check is left out.
  const isPrompt = patched("slot-due-during-check");
  for (;;) {
    const current = settings;
    if (current === undefined || current.status === "deleted") break;
    const isOther = () => settings !== current;
    if (workflowInfo().historyLength > (isPrompt ? maxEvents : maxEventsBefore)) {
      if (transitions.waiting.length > 0 && patched("recorded-before-next-run"))
        await condition(() => transitions.waiting.length === 0, recordPatienceMs);
      await continueAsNew<typeof monitor>({
        settings,
        state,
        lastDueMs,
        transitions: transitions.waiting,
        shown: details.shown,
      });
    }

    if (current.status !== "active") {
      details.show(current, state, undefined);
      await condition(isOther);
      continue;
    }
    const { intervalMs, phaseMs, dueFromMs } = current;
    const fromMs = isPrompt && dueFromMs !== undefined ? dueFromMs : Date.now();
    const nextMs = slotAfter(Math.max(fromMs, lastDueMs), intervalMs, phaseMs);
    details.show(current, state, nextMs);
    const waitMs = nextMs - Date.now();
    if (waitMs > 0 && (await condition(isOther, waitMs, { summary: "until the next check" }))) continue;

    const dueMs = Math.max(nextMs, slotAt(Date.now(), intervalMs, phaseMs));
    const slot = await checkSlot(current, dueMs);
    lastDueMs = dueMs;
    const changes = advance(state, slot, current.thresholds);
    state = changes.state;
    details.checked(slot);
    transitions.add(current, dueMs, changes);
  }
  await end(settings, state, transitions);
  details.end();
}

/** What was opened is closed before the workflow is gone. */
async function end(
  settings: MonitorSettings | undefined,
  { incident }: MonitorState,
  transitions: TransitionQueue,
): Promise<void> {
  if (settings !== undefined && incident !== undefined) transitions.abandon(settings, Date.now(), incident);
  await transitions.whenRecorded();
}
