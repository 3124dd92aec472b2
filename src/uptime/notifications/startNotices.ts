import { incidentId, type Transition } from "../state/transition.ts";
import { signalSettled } from "./signalSettled.ts";
import { type NoticeTools, startDeliveries, startEscalation } from "./startDeliveries.ts";

/**
 * Sets going what a transition calls for, after the commit of its planDeliveries: the deliveries, and the escalation of an incident that
 * has opened, which ends with one that is over. Doing it again changes nothing. Rejects when Temporal or PostgreSQL is away; the
 * reconciliation then does it within a minute.
 */
export async function startNotices(
  tools: NoticeTools,
  transition: Transition,
  deliveryIds: readonly string[],
): Promise<void> {
  await startDeliveries(tools, deliveryIds);
  if (transition.kind === "certificateExpiring") return;
  const id = incidentId(transition.monitorId, transition.change.startedMs);
  if (transition.kind === "abandoned" || transition.change.kind === "resolved")
    await signalSettled(tools.temporal.client, id);
  else if (transition.change.kind === "opened") await startEscalation(tools, id);
}
