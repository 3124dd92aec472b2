import type { Pool } from "pg";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { RunTools } from "../../store/temporal/runs.ts";
import { recordTransition } from "../state/recordTransition.ts";
import type { Transition } from "../state/transition.ts";
import { planDeliveries } from "./planDeliveries.ts";
import { startNotifications } from "./startNotifications.ts";

/**
 * Records a transition and plans its notifications in one transaction, then starts them. Safe to repeat: each is sent
 * once. Rejects when PostgreSQL or Temporal is unavailable.
 */
export async function announceTransition(
  tools: RunTools & { readonly postgres: Pick<Pool, "connect"> },
  transition: Transition,
): Promise<void> {
  const deliveryIds = await inTransaction(tools.postgres, async (client) => {
    await recordTransition(client, transition);
    return await planDeliveries(client, transition);
  });
  await startNotifications(tools, transition, deliveryIds);
}
