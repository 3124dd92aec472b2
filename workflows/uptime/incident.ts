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
import type { NoticeActivities } from "./noticeActivities.ts";

const { escalateIncident } = aliveActivities<NoticeActivities>({
  startToCloseTimeout: "30 seconds",
});

/** Says that the incident was acknowledged or resolved. PostgreSQL is asked which, so a false signal does not stop the escalation. */
const settled = defineSignal<unknown[]>("settled");

/**
 * Sends the later steps of an incident's escalation when their time has come, until it is acknowledged or over, or no step is left.
 * PostgreSQL is asked before each step, so a signal that was lost does no harm. Its workflow id is incident/<id>.
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
    // A clock that differs from PostgreSQL's reader by a little must not make this spin.
    await condition(() => isSettled, Math.max(nextMs - Date.now(), 1_000));
  }
  shown = "It is acknowledged or over, or no step is left.";
  show();
}
