import { Context } from "@temporalio/activity";
import type { Pool } from "pg";
import { inTransaction } from "../../src/store/postgres/inTransaction.ts";
import type { RunTools } from "../../src/store/temporal/runs.ts";
import {
  type Attempt,
  attemptDelivery,
  type DeliveryTools,
  recordAttempt,
} from "../../src/uptime/notifications/attemptDelivery.ts";
import type { AttemptOutcome } from "../../src/uptime/notifications/attemptOutcome.ts";
import { escalate } from "../../src/uptime/notifications/escalate.ts";
import { startDeliveries } from "../../src/uptime/notifications/startDeliveries.ts";

export type NotificationActivities = ReturnType<typeof createNotificationActivities>;

/** The activities of deliveries and incidents. */
export function createNotificationActivities(
  tools: RunTools & DeliveryTools & { readonly postgres: Pick<Pool, "connect"> },
) {
  return {
    /** Makes one attempt to send to a channel; undefined when there is nothing to send. */
    async attemptDelivery(id: string): Promise<Attempt | undefined> {
      return await attemptDelivery(tools, id, Context.current().cancellationSignal);
    },

    async recordAttempt(id: string, outcome: AttemptOutcome, isLast: boolean): Promise<void> {
      await recordAttempt(tools.postgres, id, outcome, isLast);
    },

    /**
     * Sends the steps that are due. Resolves to when the next one is due, Unix ms, or undefined when no step is left.
     */
    async escalateIncident(id: string): Promise<number | undefined> {
      const { deliveryIds, nextMs } = await inTransaction(tools.postgres, (client) => escalate(client, id, Date.now()));
      await startDeliveries(tools, deliveryIds);
      return nextMs;
    },
  };
}
