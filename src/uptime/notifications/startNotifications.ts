import type { RunTools } from "../../store/temporal/runs.ts";
import { incidentId, type Transition } from "../state/transition.ts";
import { startDeliveries, startEscalation, stopEscalation } from "./startDeliveries.ts";

/**
 * Starts the notifications of a transition after planDeliveries was committed: the deliveries, and the escalation of an
 * opened incident; stops the escalation of a resolved one. Safe to repeat. Rejects when Temporal or PostgreSQL is unavailable;
 * the reconciliation then does it within a minute.
 */
export async function startNotifications(
  tools: RunTools,
  transition: Transition,
  deliveryIds: readonly string[],
): Promise<void> {
  await startDeliveries(tools, deliveryIds);
  if (transition.kind === "certificateExpiring") return;
  const id = incidentId(transition.monitorId, transition.change.startedMs);
  if (transition.kind === "abandoned" || transition.change.kind === "resolved") await stopEscalation(tools, id);
  else if (transition.change.kind === "opened") await startEscalation(tools, id);
}
