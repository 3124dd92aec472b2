import type { Pool } from "pg";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { recordTransition } from "../state/recordTransition.ts";
import type { Transition } from "../state/transition.ts";
import { planDeliveries } from "./planDeliveries.ts";
import type { NoticeTools } from "./startDeliveries.ts";
import { startNotices } from "./startNotices.ts";

/**
 * Records a transition and plans who is told of it in one transaction, then sets the telling going. Safe to repeat: people are told once.
 * Rejects when PostgreSQL or Temporal is away.
 */
export async function announceTransition(
  tools: NoticeTools & { readonly postgres: Pick<Pool, "connect"> },
  transition: Transition,
): Promise<void> {
  const deliveryIds = await inTransaction(tools.postgres, async (client) => {
    await recordTransition(client, transition);
    return await planDeliveries(client, transition);
  });
  await startNotices(tools, transition, deliveryIds);
}
