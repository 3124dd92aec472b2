import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { NoticeActivities } from "./noticeActivities.ts";

const { escalateIncident } = proxyActivities<NoticeActivities>({
  startToCloseTimeout: "30 seconds",
  // A store that is away is waited for: the retries have no end.
  retry: { initialInterval: "1 second", maximumInterval: "1 minute" },
});

/** Somebody looks after the incident, or it is over. */
const settled = defineSignal("settled");

/**
 * Tells the later steps of an incident's escalation when their time has come, until it is acknowledged or over, or nothing is left to
 * tell. PostgreSQL is asked before each step, so a signal that was lost tells nobody. Its workflow id is incident/<id>.
 */
export async function incident(id: string): Promise<void> {
  let isSettled = false;
  setHandler(settled, () => {
    isSettled = true;
  });
  while (!isSettled) {
    const nextMs = await escalateIncident(id);
    if (nextMs === undefined || isSettled) break;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof incident>(id);
    setCurrentDetails(`The next step is told at ${new Date(nextMs).toISOString()}.`);
    // A clock that differs from PostgreSQL's reader by a little must not make this spin.
    await condition(() => isSettled, Math.max(nextMs - Date.now(), 1_000));
  }
  setCurrentDetails(isSettled ? "It is acknowledged or over." : "Nothing is left to tell.");
}
