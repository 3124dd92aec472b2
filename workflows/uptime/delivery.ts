import { ApplicationFailure, CancellationScope, isCancellation, setCurrentDetails, sleep } from "@temporalio/workflow";
import { aliveActivities } from "../activityOptions.ts";
import { showOutcome } from "../outcome.ts";
import type { NotificationActivities } from "./notificationActivities.ts";

const { attemptDelivery } = aliveActivities<NotificationActivities>({
  startToCloseTimeout: "1 minute",
  // An attempt of a worker that died is repeated with the same id, so that the receiver can recognise it.
});

const { recordAttempt } = aliveActivities<NotificationActivities>({
  startToCloseTimeout: "30 seconds",
});

const giveUpAfterMs = 86_400_000;

/**
 * Sends a row of the table `deliveries` to its channel: attempts with growing waits for a day, until one succeeds or
 * the receiver refuses. Its workflow id is stored with the row, so each row is sent by one run. The run fails if the
 * notification was not delivered.
 */
export async function delivery(id: string): Promise<string> {
  const untilMs = Date.now() + giveUpAfterMs;
  try {
    for (let attempts = 1; ; attempts++) {
      const attempt = await attemptDelivery.executeWithOptions({ summary: `attempt ${attempts}` }, [id]);
      if (attempt === undefined) {
        showOutcome("obsolete");
        return "nothing to send";
      }
      const { outcome, retryMs } = attempt;
      const isLast = Date.now() + retryMs > untilMs;
      await recordAttempt(id, outcome, isLast);
      if (outcome.kind === "delivered") {
        showOutcome("delivered");
        return "delivered";
      }
      setCurrentDetails(`Attempt ${attempts}: ${outcome.error}`);
      if (outcome.kind === "refused" || isLast) return failed(outcome.error);
      await sleep(retryMs, { summary: `before attempt ${attempts + 1}` });
    }
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() =>
        recordAttempt(id, { kind: "refused", error: "an operator cancelled it" }, true),
      );
      showOutcome("cancelled");
    }
    throw error;
  }
}

function failed(error: string): string {
  if (showOutcome("failed")) throw ApplicationFailure.nonRetryable(error, "DeliveryFailed");
  return `failed: ${error}`;
}
