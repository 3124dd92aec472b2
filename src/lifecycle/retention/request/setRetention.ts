import { authRequired, requireScope } from "../../../access/authorize.ts";
import type { SetRetentionReply } from "../../../gen/lookout/services.ts";
import type { SetRetentionRequest } from "../../../gen/lookout/v1/websites_pb.ts";
import { retentionKinds } from "../../../retention/kinds.ts";
import { type PendingRetention, retentionOf } from "../../../retention/periods.ts";
import { answerWebsite } from "../../../websites/answerWebsite.ts";
import { changeWebsite } from "../../../websites/changeWebsite.ts";
import { periodColumns, updateRow } from "../../../websites/updateRow.ts";
import type { StoredWebsite } from "../../../websites/website.ts";
import type { DataCall } from "../../dataCall.ts";
import { notifyRetentionChange } from "../notifyRetentionChange.ts";
import { countExpired } from "./countExpired.ts";
import { planRetention } from "./planRetention.ts";

/**
 * POST /websites/retention (specification part 8): longer periods take effect at once, shorter ones after a day in
 * which they can be cancelled, with the rows that they would erase counted now. Periods left out stay as they are.
 *
 * Rejects with NOT_FOUND, with ACCESS_DENIED for shorter periods without the scope delete:data, and with
 * SERVICE_UNAVAILABLE while the rows cannot be counted.
 */
export async function setRetention({ id, retention }: SetRetentionRequest, call: DataCall): Promise<SetRetentionReply> {
  const website = await changeWebsite(id, call, { name: "website.retention" }, async (client, before) => {
    const plan = planRetention(
      retentionOf(before, call.app.config.retention),
      before.pendingRetention,
      retention ?? {},
    );
    if (plan.isNewlyShorter) requireMayShorten(call);
    const pending = plan.isNewlyShorter
      ? await newlyPending(before, plan.later, call)
      : remaining(before.pendingRetention, plan.later);
    return {
      website: await updateRow(client, before.id, {
        ...periodColumns(plan.now),
        pending_retention: pending === null ? null : JSON.stringify(pending),
      }),
    };
  });
  await notifyWorkflow(website, call);
  return await answerWebsite(website, call);
}

/** Throws ACCESS_DENIED for a caller who may change the website but not erase its data, which shorter periods do. */
function requireMayShorten({ caller }: DataCall): void {
  if (caller === undefined) throw authRequired();
  requireScope(caller, "delete:data", "Shorter periods erase data. ");
}

/** Shorter periods whose waiting time begins now. */
async function newlyPending(
  website: StoredWebsite,
  periods: PendingRetention["periods"],
  call: DataCall,
): Promise<PendingRetention> {
  const { app, requestId } = call;
  const wouldErase = await countExpired(website, periods, Date.now(), call);
  const effectiveAtMs = Date.now() + app.config.retention.cancellableMs;
  return { periods, effectiveAtMs, wouldErase, requestId, isNotified: false };
}

/** The pending periods that are left when some were cancelled. */
function remaining(pending: PendingRetention | null, periods: PendingRetention["periods"]): PendingRetention | null {
  if (pending === null || Object.keys(periods).length === 0) return null;
  const wouldErase = Object.fromEntries(
    Object.entries(pending.wouldErase).filter(([name]) =>
      retentionKinds.some((kind) => kind.name === name && kind.period in periods),
    ),
  );
  return { ...pending, periods, wouldErase };
}

/** Notifies the workflow of the shorter periods. While Temporal is unavailable a Schedule does. */
async function notifyWorkflow(website: StoredWebsite, { app, requestId }: DataCall): Promise<void> {
  const { id, pendingRetention } = website;
  if (pendingRetention === null || pendingRetention.isNotified) return;
  await notifyRetentionChange(app, website, pendingRetention).catch((error: unknown) =>
    app.log.warn(
      { err: error, websiteId: id, requestId },
      "the workflow of a change of retention will be notified later",
    ),
  );
}
