import type { PreviewRetentionReply } from "../../../gen/lookout/services.ts";
import type { PreviewRetentionRequest } from "../../../gen/lookout/v1/websites_pb.ts";
import { retentionOf } from "../../../retention/periods.ts";
import { findLiveWebsite } from "../../../websites/findWebsite.ts";
import type { DataCall } from "../../dataCall.ts";
import { countExpired } from "./countExpired.ts";
import { planRetention } from "./planRetention.ts";

/**
 * POST /websites/retention/preview: what setRetention would do with these periods, with the rows that all shorter ones
 * would erase counted now, pending ones too. Rejects with NOT_FOUND, and with SERVICE_UNAVAILABLE while the rows cannot
 * be counted.
 */
export async function previewRetention(
  { id, retention }: PreviewRetentionRequest,
  call: DataCall,
): Promise<PreviewRetentionReply> {
  const { app, caller } = call;
  const website = await findLiveWebsite(app.postgres, id, caller);
  const current = retentionOf(website, app.config.retention);
  const { now, later, isNewlyShorter } = planRetention(current, website.pendingRetention, retention ?? {});
  const nowMs = Date.now();
  const pendingSinceMs = isNewlyShorter ? undefined : website.pendingRetention?.effectiveAtMs;
  return {
    retention: { ...current, ...now, ...later },
    wouldErase: await countExpired(website, later, nowMs, call),
    ...(Object.keys(later).length === 0
      ? {}
      : { effectiveAt: new Date(pendingSinceMs ?? nowMs + app.config.retention.cancellableMs).toISOString() }),
  };
}
