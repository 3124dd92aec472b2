import type { Pool } from "pg";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { RunTools } from "../../store/temporal/runs.ts";
import { recordTransition } from "../state/recordTransition.ts";
import { incidentId, type Transition } from "../state/transition.ts";
import { planDeliveries } from "./planDeliveries.ts";
import { startDeliveries, startEscalation, stopEscalation } from "./startDeliveries.ts";

/**
 * Records a transition and plans its notifications in one transaction, then starts them: the deliveries, and the
 * escalation of an opened incident; that of a resolved one is stopped. Safe to repeat: each is sent once. Rejects when
 * PostgreSQL or Temporal is unavailable; the reconciliation then starts within a minute what was committed.
 */
export async function announceTransition(
  tools: RunTools & { readonly postgres: Pick<Pool, "connect"> },
  transition: Transition,
): Promise<void> {
  const deliveryIds = await inTransaction(tools.postgres, async (client) => {
    await recordTransition(client, transition);
    return await planDeliveries(client, transition);
  });
  await startDeliveries(tools, deliveryIds);
  if (transition.kind === "certificateExpiring") return;
  const id = incidentId(transition.monitorId, transition.change.startedMs);
  if (transition.kind === "abandoned" || transition.change.kind === "resolved") await stopEscalation(tools, id);
  else if (transition.change.kind === "opened") await startEscalation(tools, id);
}
