import type { PoolClient } from "pg";
import type { CallContext } from "../gateway/callContext.ts";
import { inTransaction } from "../store/inTransaction.ts";
import { notFound } from "./findMonitor.ts";
import type { Monitor } from "./monitor.ts";
import { scheduleChange } from "./monitorSchedules.ts";
import { tellMonitor } from "./tellMonitor.ts";

/**
 * Makes or changes a monitor: `change` runs in one transaction with the note of when the monitor was to be checked, then its workflow is
 * told. PostgreSQL is the truth: when Temporal is away the change holds all the same, and the reconciliation tells it later.
 *
 * `change` resolves to the changed monitor, or to undefined when there is none any more, which rejects with NOT_FOUND.
 */
export async function changeMonitor(
  { app, requestId }: CallContext,
  change: (client: PoolClient) => Promise<Monitor | undefined>,
  isDeleted = false,
): Promise<Monitor> {
  const monitor = await inTransaction(app.postgres, async (client) => {
    const changed = await change(client);
    if (changed !== undefined) await scheduleChange(client, changed, isDeleted);
    return changed;
  });
  if (monitor === undefined) throw notFound("monitor", "It was deleted meanwhile");
  await tellMonitor(app, monitor, isDeleted).catch((error: unknown) =>
    app.log.warn({ requestId, monitorId: monitor.id, err: error }, "a monitor's workflow will be told later"),
  );
  return monitor;
}
