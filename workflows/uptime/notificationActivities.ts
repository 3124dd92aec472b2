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
import type { AttemptOutcome } from "../../src/uptime/notifications/channels/kinds/channelKind.ts";
import { type Escalated, escalate, type IncidentStatus } from "../../src/uptime/notifications/escalate.ts";
import { startDeliveries } from "../../src/uptime/notifications/startDeliveries.ts";

/** `nextMs` is when the next step is due, Unix ms; absent when none is left. Plain JSON. */
export type FollowedIncident = IncidentStatus & { readonly nextMs?: number };

export type NotificationActivities = ReturnType<typeof createNotificationActivities>;

/** The activities of deliveries and incidents. */
export function createNotificationActivities(
  tools: RunTools & DeliveryTools & { readonly postgres: Pick<Pool, "connect"> },
) {
  const sendDueSteps = async (id: string): Promise<Escalated> => {
    const escalated = await inTransaction(tools.postgres, (client) => escalate(client, id, Date.now()));
    await startDeliveries(tools, escalated.deliveryIds);
    return escalated;
  };

  return {
    /** Makes one attempt to send to a channel; undefined when there is nothing to send. */
    async attemptDelivery(id: string): Promise<Attempt | undefined> {
      return await attemptDelivery(tools, id, Context.current().cancellationSignal);
    },

    async recordAttempt(id: string, outcome: AttemptOutcome, isLast: boolean): Promise<void> {
      await recordAttempt(tools.postgres, id, outcome, isLast);
    },

    /** Sends the steps that are due. */
    async followIncident(id: string): Promise<FollowedIncident> {
      const { status, nextMs } = await sendDueSteps(id);
      return { ...status, ...(nextMs === undefined ? {} : { nextMs }) };
    },

    /**
     * The same for workflows from before followIncident existed. Resolves to when the next step is due, Unix ms, or
     * undefined when no step is left.
     */
    async escalateIncident(id: string): Promise<number | undefined> {
      return (await sendDueSteps(id)).nextMs;
    },
  };
}
