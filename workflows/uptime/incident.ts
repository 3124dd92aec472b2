import {
  condition,
  continueAsNew,
  defineSignal,
  patched,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from "@temporalio/workflow";
import { lookoutAcknowledged } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import { showOutcome } from "../outcome.ts";
import { ignoredSignal, unexpectedPayload } from "../payload.ts";
import type { FollowedIncident, NotificationActivities } from "./notificationActivities.ts";

const { escalateIncident, followIncident } = aliveActivities<NotificationActivities>({
  startToCloseTimeout: "30 seconds",
});

/**
 * Notifies that the incident was acknowledged or resolved. The workflow checks that in PostgreSQL, so a false signal
 * does not stop the escalation.
 */
const settled = defineSignal<unknown[]>("settled");

/** PostgreSQL is read this often, in case a signal was lost. */
const recheckAfterMs = 3_600_000;

/**
 * Follows an incident until it is resolved, and sends the later steps of its escalation when they are due, until it is
 * acknowledged. PostgreSQL is read before each step, so a lost signal does no harm.
 */
export async function incident(id: string): Promise<void> {
  let isSettled = false;
  let shown = "";
  let ignored = "";
  const show = (state: string) => {
    shown = state;
    setCurrentDetails([shown, ignored].filter((line) => line !== "").join("\n\n"));
  };
  setHandler(
    settled,
    (...args) => {
      const problem = unexpectedPayload(args);
      if (problem === undefined) {
        isSettled = true;
        return;
      }
      ignored = ignoredSignal("settled", problem, Date.now());
      show(shown);
    },
    {
      description:
        "Makes the workflow read in PostgreSQL whether the incident is acknowledged or resolved. Takes no payload; " +
        "sending it at any time is safe. To acknowledge an incident use the API.",
    },
  );
  const isFollowed = patched("follow-incident");
  const maxWaitMs = isFollowed ? recheckAfterMs : Number.POSITIVE_INFINITY;
  for (;;) {
    isSettled = false;
    const found = isFollowed ? await followIncident(id) : await untilNoStepIsLeft(id);
    if (isFollowed) showAcknowledged(found.isAcknowledged);
    if (found.isOver) break;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof incident>(id);
    show(textOf(found));
    const { nextMs = Number.POSITIVE_INFINITY } = found;
    // With slightly different clocks this must not become a busy loop.
    await condition(() => isSettled, Math.max(Math.min(nextMs - Date.now(), maxWaitMs), 1_000));
  }
  if (isFollowed) showOutcome("resolved");
  show(isFollowed ? "It is resolved." : "It is acknowledged or resolved, or no step is left.");
}

/** For runs from before workflows followed an incident to its end. */
async function untilNoStepIsLeft(id: string): Promise<FollowedIncident> {
  const nextMs = await escalateIncident(id);
  return { isOver: nextMs === undefined, isAcknowledged: false, ...(nextMs === undefined ? {} : { nextMs }) };
}

/** Setting search attributes costs an event, so this one is set only when it changes. */
function showAcknowledged(isAcknowledged: boolean): void {
  if (workflowInfo().typedSearchAttributes.get(lookoutAcknowledged) === isAcknowledged) return;
  upsertSearchAttributes([{ key: lookoutAcknowledged, value: isAcknowledged }]);
}

function textOf({ isAcknowledged, nextMs }: FollowedIncident): string {
  if (isAcknowledged) return "Somebody acknowledged it, so no step is sent any more. It is not resolved yet.";
  const next =
    nextMs === undefined ? "No step is left." : `The next step is sent at ${new Date(nextMs).toISOString()}.`;
  return `Nobody has acknowledged it yet. ${next}`;
}
