import {
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import { aliveActivities } from "../activityOptions.ts";
import { ignoredSignal, unexpectedPayload } from "../payload.ts";
import type { NotificationActivities } from "./notificationActivities.ts";

const { escalateIncident } = aliveActivities<NotificationActivities>({
  startToCloseTimeout: "30 seconds",
});

/**
 * Notifies that the incident was acknowledged or resolved. The workflow checks that in PostgreSQL, so a false signal
 * does not stop the escalation.
 */
const settled = defineSignal<unknown[]>("settled");

/**
 * Sends the later steps of an incident's escalation when they are due, until it is acknowledged or resolved, or no step
 * is left. PostgreSQL is read before each step, so a lost signal does no harm. The workflow id is incident/<id>.
 */
export async function incident(id: string): Promise<void> {
  let isSettled = false;
  let shown = "";
  let ignored = "";
  const show = () => setCurrentDetails([shown, ignored].filter((line) => line !== "").join("\n\n"));
  setHandler(settled, (...args) => {
    const problem = unexpectedPayload(args);
    if (problem === undefined) {
      isSettled = true;
      return;
    }
    ignored = ignoredSignal("settled", problem, Date.now());
    show();
  });
  for (;;) {
    isSettled = false;
    const nextMs = await escalateIncident(id);
    if (nextMs === undefined) break;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof incident>(id);
    shown = `The next step is sent at ${new Date(nextMs).toISOString()}.`;
    show();
    // With slightly different clocks this must not become a busy loop.
    await condition(() => isSettled, Math.max(nextMs - Date.now(), 1_000));
  }
  shown = "It is acknowledged or resolved, or no step is left.";
  show();
}
