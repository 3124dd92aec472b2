import { workflowLink } from "../../../access/workflowLink.ts";
import type { GetDeletionReply } from "../../../gen/lookout/services.ts";
import type { PrivacyRules } from "../../../visitors/privacyRules.ts";
import type { DataCall } from "../../dataCall.ts";
import type { Deletion } from "../deletion/deletionRow.ts";
import { hidesDays, shownReceipt } from "../deletion/shownReceipt.ts";

/** A deletion as answers show it (specification 4.17), by what its website says about answers. */
export function deletionMessage(
  found: Deletion,
  privacy: PrivacyRules,
  call: Pick<DataCall, "app" | "caller">,
): GetDeletionReply {
  const deletion = hidesDays(found, privacy) ? { ...found, days: null, daysDone: [] } : found;
  const { days, daysDone, receipt } = deletion;
  return {
    success: true,
    deletionId: deletion.id,
    status: deletion.status,
    progress: progressOf(deletion),
    websiteId: deletion.websiteId,
    startDate: deletion.startDate,
    endDate: deletion.endDate,
    dataTypes: [...deletion.dataTypes],
    phase: deletion.phase,
    daysDone: daysDone.length,
    daysTotal: days?.length ?? 0,
    oneVisitor: deletion.visitorKey !== null,
    createdAt: new Date(deletion.createdMs).toISOString(),
    workflowUrl: workflowLink(call, deletion.workflowId),
    ...(receipt === null ? {} : { receipt: shownReceipt(receipt, deletion, privacy) }),
  };
}

/**
 * The share of days done, in whole percent. At most 95 until the deletion is completed, since the steps after the
 * days take a while too.
 */
export function progressOf({ status, days, daysDone }: Pick<Deletion, "status" | "days" | "daysDone">): number {
  if (status === "completed") return 100;
  if (days === null) return 0;
  return days.length === 0 ? maxWhileProcessing : Math.floor((maxWhileProcessing * daysDone.length) / days.length);
}

const maxWhileProcessing = 95;
